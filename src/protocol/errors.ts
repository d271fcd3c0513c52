// The codes of the error catalogue (SPECIFICATION.md, point 8). src/texts has what people read of them.

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
] as const;

export type WeftCode = (typeof WEFT_CODES)[number];

/**
 * Why a call failed. `code` is one of the catalogue, or `unknown` for everything else ("Something went wrong").
 * `detail` is for the console and for reports; people never see it.
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
 * text.
 */
export const isTemporary = ({ code }: WeftError): boolean => TEMPORARY.includes(code);

/** Why a sign-in failed. These come from the sign-in service, not from the database. */
export type SignInProblem =
  | 'credentials'
  | 'taken'
  | 'weakPassword'
  | 'badEmail'
  | 'unconfirmed'
  | 'cannotEmail'
  | 'badCode'
  | 'deadLink'
  | 'otherBrowser'
  | 'samePassword'
  | 'closed'
  | 'tooMany'
  | 'unreachable'
  | 'unknown';

/** `detail` is for the console and for reports; people never see it. */
export type SignInError = { readonly problem: SignInProblem; readonly detail: string };

/** The code of an error in the app itself, which has none in the catalogue: short, and the same for the same error. */
export function appErrorCode(error: unknown): string {
  const text =
    error instanceof Error ? `${error.name}${error.message}${error.stack?.split('\n')[1] ?? ''}` : String(error);
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = ((hash * 33) ^ text.charCodeAt(at)) >>> 0;
  return `WF-app-${hash.toString(16).padStart(8, '0').slice(0, 4)}`;
}

export type FileProblem = 'tooLarge' | 'unreadable' | 'full';
