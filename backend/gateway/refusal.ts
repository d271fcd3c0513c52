// What is said to a caller who is turned away before anybody looked at what they want, in the form that the client of the
// service they asked for reads; and to whoever sent bytes that never became a request.
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { apiHeaders, bareHeaders } from './response-headers.ts';

export type Refusal = {
  readonly status: number;
  /** One sentence for whoever wrote the request. */
  readonly message: string;
  /** What to do about it, where the hosted service says so too. */
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusal => ({
  status,
  message,
  headers,
});

/** `waitMs`: until asking again makes sense. */
export const retryLater = (status: 429 | 503, message: string, waitMs: number): Refusal =>
  refusal(status, message, { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) });

const SERVICE = /^\/(auth|rest|storage|realtime)\/v1(?:\/|\?|$)/;

/** A program reads JSON, a person text; a browser shows neither to another site without the headers of the API. */
export function refuse(outgoing: ServerResponse, refused: Refusal): void {
  const { status, message, headers } = refused;
  const service = SERVICE.exec(outgoing.req.url ?? '')?.[1] ?? null;
  const body = service === null ? `${message}\n` : JSON.stringify(bodyFor(service, refused));
  outgoing.writeHead(status, {
    ...(service === null ? bareHeaders : apiHeaders),
    'content-type': service === null ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...headers,
  });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
}

/** Words of the hosted services for what is refused here before they are asked. */
const AUTH_CODES: Readonly<Record<number, string>> = { 408: 'request_timeout', 429: 'over_request_rate_limit' };
const STORAGE_CODES: Readonly<Record<number, string>> = { 413: 'EntityTooLarge', 429: 'SlowDown', 503: 'SlowDown' };

function bodyFor(service: string, { status, message, hint }: Refusal): Readonly<Record<string, unknown>> {
  // A wrong key is the matter of a hosted project's gateway, which is one for all services.
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

/** For a connection on which no request was understood, or that is to be ended in any case. */
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
