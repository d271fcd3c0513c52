// The answer to a request that no handler answers, in the JSON form that the client of the addressed service expects,
// and the raw answer on a connection that has no `ServerResponse`.
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { apiHeaders, baseHeaders } from './response-headers.ts';

export type Refusal = {
  readonly status: number;
  /** One sentence for the developer of the client. */
  readonly message: string;
  /** Advice on what to do, present where the hosted service gives it too. */
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusal => ({
  status,
  message,
  headers,
});

/** `waitMs` is the time after which a retry makes sense. */
export const retryLater = (status: 429 | 503, message: string, waitMs: number): Refusal =>
  refusal(status, message, { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) });

const SERVICE = /^\/(auth|rest|storage|realtime)\/v1(?:\/|\?|$)/;

/** Sends JSON below the API's paths and plain text elsewhere. Without the API's headers a browser would hide the answer. */
export function sendRefusal(outgoing: ServerResponse, refused: Refusal): void {
  const { status, message, headers } = refused;
  const service = SERVICE.exec(outgoing.req.url ?? '')?.[1] ?? null;
  const body = service === null ? `${message}\n` : JSON.stringify(bodyFor(service, refused));
  outgoing.writeHead(status, {
    ...(service === null ? baseHeaders : apiHeaders),
    'content-type': service === null ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...headers,
  });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
}

/** The codes with which the hosted services refuse the same requests. */
const AUTH_CODES: Readonly<Record<number, string>> = { 408: 'request_timeout', 429: 'over_request_rate_limit' };
const STORAGE_CODES: Readonly<Record<number, string>> = { 413: 'EntityTooLarge', 429: 'SlowDown', 503: 'SlowDown' };

function bodyFor(service: string, { status, message, hint }: Refusal): Readonly<Record<string, unknown>> {
  // In a hosted project its gateway checks keys, so this answer has one form for all services.
  if (status === 401) return { message, hint };
  switch (service) {
    case 'auth': {
      const error_code = AUTH_CODES[status] ?? (status < 500 ? 'validation_failed' : 'unexpected_failure');
      return { code: status, error_code, msg: message };
    }
    case 'storage':
      return { statusCode: String(status), code: STORAGE_CODES[status], error: STATUS_CODES[status], message };
    case 'rest':
      return { code: String(status), details: null, hint: hint ?? null, message };
    default:
      return { message };
  }
}

/** A complete answer as text, for a connection that has no `ServerResponse`. Closes the connection. */
export function rawRefusal({ status, message, headers = {} }: Refusal): string {
  const lines = Object.entries({
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const body = JSON.stringify({ message });
  lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`, ...lines, '', body].join('\r\n');
}
