// The codes of the error catalogue (SPECIFICATION.md, section 8). src/texts has what people read of them.

const WEFT_CODES = [
  'WF001',
  'WF002',
  'WF003',
  'WF004',
  'WF005',
  'WF006',
  'WF007',
  'WF008',
  'WF009',
  'WF010',
  'WF011',
  'WF012',
  'WF013',
  'WF014',
  'WF015',
  'WF016',
  'WF017',
  'WF018',
  'WF019',
  'WF020',
  'WF021',
  'WF022',
] as const;

export type WeftCode = (typeof WEFT_CODES)[number];

/**
 * Why something failed. `code` is one of the catalogue, or `unknown` for everything else ("Something went wrong").
 * `detail` is for the console and for reports; people see it only with `unknown`.
 */
export type WeftError = {
  readonly code: WeftCode | 'unknown';
  readonly detail: string;
  /** The server wants no further call before this time has passed (`Retry-After`). */
  readonly retryAfterMs?: number;
};

export const weftError = (code: WeftError['code'], detail = ''): WeftError => ({ code, detail });

export const isWeftCode = (text: unknown): text is WeftCode => WEFT_CODES.some((code) => code === text);

const TEMPORARY: readonly WeftError['code'][] = ['WF003', 'WF008', 'WF011', 'WF018', 'WF019'];

/**
 * Whether the same call may succeed later: it was lost on the way, the person was signed out, sent too many requests or too much
 * text, or the page waits for a snapshot.
 */
export const isTemporary = ({ code }: WeftError): boolean => TEMPORARY.includes(code);
