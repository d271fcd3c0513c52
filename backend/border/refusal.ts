// What is said to a caller who is turned away before anybody looked at what they want: the same answer for a request that
// was read and for bytes that never became one.
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { apiHeaders, bareHeaders } from '../response-headers.ts';

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

/** A program reads JSON, a person text; a browser shows neither to another site without the headers of the API. */
export function refuse(outgoing: ServerResponse, { status, message, hint, headers }: Refusal, isApi: boolean): void {
  const body = isApi ? JSON.stringify({ message, hint }) : `${message}\n`;
  outgoing.writeHead(status, {
    ...(isApi ? apiHeaders : bareHeaders),
    'content-type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...headers,
  });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
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
