// Converts Node's request and response to the `Request` and `Response` of the Fetch standard, which handlers use. A client
// that hangs up is not an error and leaves no log line.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from './client-address.ts';

/** Expects that the gateway has checked `incoming`. Throws a `TypeError` when a header has an impossible value. */
export function toRequest(
  incoming: IncomingMessage,
  client: Client,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Request {
  const { method = 'GET', rawHeaders, headers, url = '/' } = incoming;
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return new Request(`${client.isHttps ? 'https' : 'http'}://${headers.host}${url}`, {
    method,
    headers: pairs,
    signal,
    ...(body === null ? {} : { body, duplex: 'half' }),
  });
}

/** Resolves when everything is sent or the client is gone; rejects when the body of `response` breaks. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  const reader = response.body?.getReader();
  if (reader === undefined || outgoing.req.method === 'HEAD') {
    reader?.cancel().catch(() => undefined);
    const hasNoBody = outgoing.req.method === 'HEAD' || response.status === 204 || response.status === 304;
    outgoing.writeHead(response.status, hasNoBody ? headers : { ...headers, 'content-length': '0' }).end();
    return;
  }
  try {
    // Most bodies consist of one part: then their length is known and can be sent.
    const first = await reader.read();
    const second = first.done ? first : await reader.read();
    if (outgoing.destroyed) return await reader.cancel();
    if (second.done) {
      const whole: Uint8Array = first.value ?? new Uint8Array();
      outgoing.writeHead(response.status, { 'content-length': String(whole.length), ...headers }).end(whole);
      return;
    }
    outgoing.writeHead(response.status, headers);
    await write(outgoing, first.value);
    await write(outgoing, second.value);
    for (let next = await reader.read(); !next.done; next = await reader.read()) await write(outgoing, next.value);
    outgoing.end();
  } catch (error) {
    reader.cancel().catch(() => undefined);
    if (outgoing.destroyed) return;
    // Cut the connection, or the client would take half an answer for a complete one.
    outgoing.destroy();
    throw error;
  }
}

/** Waits while the client reads slowly; rejects when it has hung up. */
async function write(outgoing: ServerResponse, part: Uint8Array | undefined): Promise<void> {
  if (outgoing.destroyed) throw new Error('the client has hung up');
  if (part === undefined || outgoing.write(part)) return;
  const ended = new AbortController();
  try {
    await Promise.race([
      once(outgoing, 'drain', { signal: ended.signal }),
      once(outgoing, 'close', { signal: ended.signal }),
    ]);
  } finally {
    ended.abort();
  }
}

/** A signal that aborts when the client hangs up before the answer is complete. */
export function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Whether a request with this method only reads: its body, if it has one, is ignored. */
export const isReading = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';
