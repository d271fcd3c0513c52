// What PostgREST answers when the database refuses: its table of statuses, its bodies, and the two ways in which a function
// says its own status (SQLSTATE `PTxyz` and `PGRST`). Knows nothing of requests beyond who asked.
import * as v from 'valibot';

const databaseErrorSchema = v.object({
  code: v.pipe(v.string(), v.regex(/^(?:[0-9A-Z]{5}|PGRST)$/)),
  message: v.string(),
  detail: v.optional(v.nullable(v.string())),
  hint: v.optional(v.nullable(v.string())),
});
/** As the database says it; `code` is the SQLSTATE. */
export type DatabaseError = v.InferOutput<typeof databaseErrorSchema>;

export function parseDatabaseError(error: unknown): DatabaseError | null {
  const parsed = v.safeParse(databaseErrorSchema, error);
  return parsed.success ? parsed.output : null;
}

export type RefusalBody = {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly message: string;
};

/** PostgREST's `pgErrorStatus`; the first match counts, and nothing matches: 400. 42501 depends on who asks. */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/^(?:08|53(?!400)|57P01)/, 503],
  [/^(?:0L|0P|28)/, 403],
  [/^(?:23503|23505)$/, 409],
  [/^25006$/, 405],
  [/^(?:42883|42P01)$/, 404],
  [/^42P17$/, 500],
  [/^P0001$/, 400],
  [/^54/, 413],
  [/^(?:09|21|25|2D|38|39|3B|40|53|55|57|58|F0|HV|P0|XX)/, 500],
];

export function statusOf({ code, message }: DatabaseError): number {
  // pg-safeupdate's; other cardinality violations are the database's own mistake.
  if (code === '21000' && message.endsWith('requires a WHERE clause')) return 400;
  return STATUSES.find(([form]) => form.test(code))?.[1] ?? 400;
}

/** A function's own word on its status: `raise sqlstate 'PT402'`. Null: it is none. */
function ownStatus(code: string): number | null {
  if (!code.startsWith('PT')) return null;
  const status = Number(code.slice(2));
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500;
}

/** `isAnonymous`: the caller could do better by signing in. */
export function refusalResponse(error: DatabaseError, isAnonymous: boolean): Response {
  if (error.code === 'PGRST') return raisedResponse(error);
  const { code, message, detail, hint } = error;
  const status = code === '42501' ? (isAnonymous ? 401 : 403) : (ownStatus(code) ?? statusOf(error));
  return refuse(status, { code, message, details: detail ?? null, hint: hint ?? null });
}

export function refuse(
  status: number,
  { code, details, hint, message }: RefusalBody,
  headers: Readonly<Record<string, string>> = {},
  statusText = '',
): Response {
  // The order of PostgREST's keys.
  const body = new TextEncoder().encode(JSON.stringify({ code, details, hint, message }));
  return new Response(body, {
    status,
    statusText,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.byteLength),
      ...headers,
    },
  });
}

const raisedMessage = v.object({
  code: v.string(),
  message: v.string(),
  details: v.optional(v.nullable(v.string()), null),
  hint: v.optional(v.nullable(v.string()), null),
});
const raisedDetail = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.record(v.string(), v.string()),
  status_text: v.optional(v.string(), ''),
});

/** `raise sqlstate 'PGRST'`: the whole answer stands in the error, as JSON. */
function raisedResponse({ message, detail }: DatabaseError): Response {
  const said = v.safeParse(raisedMessage, parseJson(message));
  if (!said.success) {
    return malformedRaise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      `MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.`,
    );
  }
  const meant = v.safeParse(raisedDetail, parseJson(detail ?? ''));
  if (!meant.success) {
    return malformedRaise(
      detail == null || detail === ''
        ? 'DETAIL is missing in the RAISE statement'
        : `Invalid JSON value for DETAIL: '${detail}'`,
      `DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.`,
    );
  }
  return refuse(meant.output.status, said.output, meant.output.headers, meant.output.status_text);
}

const malformedRaise = (details: string, hint: string) =>
  refuse(500, {
    code: 'PGRST121',
    message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
    details,
    hint,
  });

/** Undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
