// The error responses of PostgREST 14: its statuses for the database's errors, its bodies, and the two ways in which a
// function sets its own status (SQLSTATE `PTxyz` and `PGRST`).
import * as v from 'valibot';
import { parseOrNull } from '../../src/lib/parse-or-null.ts';

const databaseErrorSchema = v.object({
  code: v.pipe(v.string(), v.regex(/^(?:[0-9A-Z]{5}|PGRST)$/)),
  message: v.string(),
  detail: v.optional(v.nullable(v.string())),
  hint: v.optional(v.nullable(v.string())),
  /** FATAL: it ended the connection, or the database cannot be reached. */
  severity: v.optional(v.string(), 'ERROR'),
});
/** An error of PostgreSQL; `code` is the SQLSTATE. */
export type PostgresError = v.InferOutput<typeof databaseErrorSchema>;

/** Null if it is not an error of PostgreSQL. */
export const parsePostgresError = (error: unknown): PostgresError | null => parseOrNull(databaseErrorSchema, error);

export type ErrorBody = {
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly message: string;
};

/** Statuses of HTTP whose responses have no body. */
export const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** PostgREST's `pgErrorStatus`: the first match counts; 400 if nothing matches. 42501 depends on the caller. */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/^(?:08|53(?!400)|57P01)/, 503],
  [/^(?:0L|0P|28)/, 403],
  [/^(?:23503|23505)$/, 409],
  [/^25006$/, 405],
  [/^(?:42883|42P01)$/, 404],
  [/^42P17$/, 500],
  [/^P0001$/, 400],
  [/^(?:09|21|25|2D|38|39|3B|40|53|54|55|57|58|F0|HV|P0|XX)/, 500],
];

function statusOf({ code, message }: PostgresError): number {
  // This one comes from pg-safeupdate; other cardinality violations are mistakes in the database itself.
  if (code === '21000' && message.endsWith('requires a WHERE clause')) return 400;
  if (code === '22023' && /^role .* does not exist$/s.test(message)) return 401;
  if (code === '42883' && message.startsWith('function xmlagg(')) return 406;
  return STATUSES.find(([form]) => form.test(code))?.[1] ?? 400;
}

/** The database itself is in trouble (resources, operator, system, internal): the operator should see it. */
export const isServerTrouble = ({ code }: PostgresError): boolean => /^(?:53|54|57|58|F0|XX)/.test(code);

/** The status that a function asks for with `raise sqlstate 'PT402'`; null if it asks for none. */
function raisedStatus(code: string): number | null {
  if (!code.startsWith('PT')) return null;
  const status = Number(code.slice(2));
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500;
}

/** The database cannot be reached; starting it anew takes about this long. */
const AWAY_RETRY_SECONDS = 2;

/** PostgreSQL guesses which column or function was meant, and so lists names to someone who only tries. */
const GUESS = /^Perhaps you meant/;

/** `isAnonymous`: signing in could help, so a missing right is 401 instead of 403. */
export function databaseErrorResponse(error: PostgresError, isAnonymous: boolean): Response {
  if (error.code === 'PGRST') return raisedResponse(error);
  const { code, message, detail, hint } = error;
  const status = code === '42501' ? (isAnonymous ? 401 : 403) : (raisedStatus(code) ?? statusOf(error));
  const body = {
    code,
    message,
    details: detail ?? null,
    hint: hint == null || GUESS.test(hint) ? null : hint,
  };
  return errorResponse(status, body, headersOf(status, error));
}

/** Like PostgREST, which sends 0 when a function raised the error: another try may go well at once. */
function headersOf(status: number, { severity }: PostgresError): Readonly<Record<string, string>> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return status === 503 ? { 'retry-after': severity === 'FATAL' ? String(AWAY_RETRY_SECONDS) : '0' } : {};
}

/** PostgREST may understand the request; this backend does not. */
export const restNotImplemented = (message: string): Response =>
  errorResponse(501, { code: 'not_implemented', message, details: null, hint: null });

export const invalidJson = (): Response =>
  errorResponse(400, { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null });

/** Errors repeat the caller's input, which may be megabytes. */
const MAX_TEXT = 8 * 1024;

const shortened = (text: string | null): string | null =>
  text === null || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;

export function errorResponse(
  status: number,
  { code, details, hint, message }: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
  statusText = '',
): Response {
  // PostgREST's order of the keys.
  const texts = { code, details: shortened(details), hint: shortened(hint), message: shortened(message) };
  const body = new TextEncoder().encode(JSON.stringify(texts));
  const contentType = { 'content-type': 'application/json; charset=utf-8' };
  // A function may raise such a status.
  if (STATUSES_WITHOUT_BODY.has(status)) {
    return new Response(null, { status, statusText, headers: { ...contentType, ...headers } });
  }
  const contentLength = { 'content-length': String(body.byteLength) };
  return new Response(body, { status, statusText, headers: { ...contentType, ...contentLength, ...headers } });
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

/** `raise sqlstate 'PGRST'`: message and detail hold the whole response as JSON. */
function raisedResponse({ message, detail }: PostgresError): Response {
  const body = v.safeParse(raisedMessage, parseJson(message));
  if (!body.success) {
    return malformedRaise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      `MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.`,
    );
  }
  const head = v.safeParse(raisedDetail, parseJson(detail ?? ''));
  if (!head.success) {
    return malformedRaise(
      detail == null || detail === ''
        ? 'DETAIL is missing in the RAISE statement'
        : `Invalid JSON value for DETAIL: '${detail}'`,
      `DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.`,
    );
  }
  return errorResponse(head.output.status, body.output, head.output.headers, head.output.status_text);
}

const malformedRaise = (details: string, hint: string) =>
  errorResponse(500, {
    code: 'PGRST121',
    message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
    details,
    hint,
  });

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
