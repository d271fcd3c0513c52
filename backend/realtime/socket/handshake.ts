// Checks the upgrade request (API key, protocol version and the server's limits) and refuses it as Supabase Realtime
// does.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { VerifyToken } from '../../keys/token.ts';
import type { Quotas } from '../limits/quotas.ts';

const SERVICE = '/realtime/v1/';
const PATH = `${SERVICE}websocket`;
/** Any patch level, as Phoenix does. */
const VERSION = /^2\.0\.\d{1,4}$/;
const STATUS_TEXT = { 401: 'Unauthorized', 403: 'Forbidden', 429: 'Too Many Requests' } as const;

export type HandshakeRefusal = { readonly status: keyof typeof STATUS_TEXT; readonly error: string };

/**
 * Decides who handles the upgrade: 'realtime' opens it, 'none' closes it, 'other' leaves it to another listener of the
 * server.
 */
export function recipientOf(request: IncomingMessage): 'realtime' | 'none' | 'other' {
  const path = urlOf(request)?.pathname ?? '';
  if (path === PATH) return 'realtime';
  return path.startsWith(SERVICE) ? 'none' : 'other';
}

/** Returns the API key that opens the socket. */
export async function parseHandshake(
  request: IncomingMessage,
  { verifyToken, quotas }: { readonly verifyToken: VerifyToken; readonly quotas: Quotas },
): Promise<Result<string, HandshakeRefusal>> {
  const params = urlOf(request)?.searchParams;
  const token = params?.get('apikey') ?? '';
  if (token === '') return err({ status: 401, error: 'API key is missing' });
  const identity = await verifyToken(token);
  if (!identity.ok) return err({ status: 401, error: identity.error.atHandshake });
  if (!VERSION.test(params?.get('vsn') ?? '')) return err({ status: 403, error: 'The protocol version must be 2.0.0' });
  if (quotas.tooManyUsers) return err({ status: 429, error: 'Too many connected users' });
  if (quotas.tooManyJoins) return err({ status: 429, error: 'Too many joins per second' });
  return ok(token);
}

/** Ends the connection with an HTTP answer, of which a browser sees only close code 1006. */
export function refuseHandshake(connection: Duplex, { status, error }: HandshakeRefusal): void {
  const body = JSON.stringify({ error });
  connection.end(
    [
      `HTTP/1.1 ${status} ${STATUS_TEXT[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

const urlOf = (request: IncomingMessage) => URL.parse(request.url ?? '', 'http://localhost');
