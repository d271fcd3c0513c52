// Parses the upgrade request (protocol version and API key) and refuses it with the answers of Supabase Realtime.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Opening } from './socket.ts';
import type { VerifyToken } from '../../keys/token.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Version } from '../wire/wire-message.ts';

const SERVICE = '/realtime/v1/';
const PATH = `${SERVICE}websocket`;
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

export async function parseHandshake(
  request: IncomingMessage,
  { verifyToken, quotas }: { readonly verifyToken: VerifyToken; readonly quotas: Quotas },
): Promise<Result<Opening, HandshakeRefusal>> {
  const params = urlOf(request)?.searchParams;
  const header = request.headers['x-api-key'];
  const token = (typeof header === 'string' ? header : null) ?? params?.get('apikey') ?? '';
  if (token === '') return err({ status: 401, error: 'API key is missing' });
  const version = parseVersion(params?.get('vsn') ?? '1.0.0');
  if (version === null) return err({ status: 403, error: 'The requested protocol version is not supported' });
  const identity = await verifyToken(token);
  if (!identity.ok) return err({ status: 401, error: identity.error.atHandshake });
  if (quotas.tooManyUsers) return err({ status: 429, error: 'Too many connected users' });
  if (quotas.tooManyJoins) return err({ status: 429, error: 'Too many joins per second' });
  return ok({ version, token });
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

/** Takes any patch level of the two versions, as Phoenix does. */
function parseVersion(text: string): Version | null {
  if (/^1\.0\.\d{1,4}$/.test(text)) return '1.0.0';
  return /^2\.0\.\d{1,4}$/.test(text) ? '2.0.0' : null;
}

const urlOf = (request: IncomingMessage) => URL.parse(request.url ?? '', 'http://localhost');
