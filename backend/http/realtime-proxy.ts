// Forwards /realtime/v1 to a Supabase Realtime server, with the paths of a Supabase project's gateway:
// `/realtime/v1/api/…` becomes `/api/…`, everything else `/socket/…`. Reads nothing but the keys.
import { type IncomingMessage, type Server, STATUS_CODES, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { JwtKeys } from '../keys/jwt-keys.ts';
import type { Keys } from '../keys/keys.ts';
import type { RealtimeMount } from '../realtime/mount-realtime.ts';

export type RealtimeProxyParts = {
  readonly server: Server;
  readonly target: string;
  readonly keys: Keys;
  readonly jwtKeys: JwtKeys;
  /** Returns false after refusing the upgrade. */
  readonly admits: (request: IncomingMessage, connection: Duplex) => boolean;
};

const PREFIX = /^\/realtime\/v1(?=\/|\?|$)/;
const UNREACHABLE = { message: 'The Realtime server cannot be reached.' };
/** Headers that belong to one connection and are not forwarded. */
const HOP_BY_HOP = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length']);

export function proxyRealtime({ server, target, keys, jwtKeys, admits }: RealtimeProxyParts): RealtimeMount {
  const sockets = new Set<Duplex>();
  const base = target.replace(/\/+$/, '');
  const sendRequest = base.startsWith('https:') ? httpsRequest : httpRequest;
  /** Replaces an `sb_…` key with the JWT that every Realtime server understands. */
  const asJwtKey = (key: string): string =>
    key === keys.anonKey ? jwtKeys.anon : key === keys.serviceRoleKey ? jwtKeys.service_role : key;

  /** `path` includes the query. */
  function addressOf(path: string): URL {
    const rest = path.replace(PREFIX, '');
    const url = new URL(base + (/^\/api(?=\/|\?|$)/.test(rest) ? rest : `/socket${rest}`));
    const key = url.searchParams.get('apikey');
    if (key !== null) url.searchParams.set('apikey', asJwtKey(key));
    return url;
  }

  const withKeys = (name: string, value: string): string => {
    if (name === 'apikey' || name === 'x-api-key') return asJwtKey(value);
    return name === 'authorization'
      ? value.replace(/^(Bearer\s+)(.+)$/i, (_, scheme: string, key: string) => scheme + asJwtKey(key))
      : value;
  };

  async function forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers();
    for (const [name, value] of request.headers) if (!HOP_BY_HOP.has(name)) headers.set(name, withKeys(name, value));
    try {
      const answer = await fetch(addressOf(pathname + search), {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: request.signal,
        ...(request.body === null ? {} : { body: await request.arrayBuffer() }),
      });
      // `fetch` has already decoded the body.
      const responseHeaders = new Headers(answer.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
        responseHeaders.delete(name);
      return new Response(answer.body, { status: answer.status, headers: responseHeaders });
    } catch {
      return Response.json(UNREACHABLE, { status: 503 });
    }
  }

  function forwardUpgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    const path = incoming.url ?? '';
    if (!PREFIX.test(path)) {
      // When no other listener handles upgrades, nobody else would close this connection.
      if (server.listenerCount('upgrade') === 1) connection.destroy();
      return;
    }
    if (!admits(incoming, connection)) return;
    connection.on('error', () => connection.destroy());
    const headers: Record<string, string | string[]> = { connection: 'Upgrade', upgrade: 'websocket' };
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (value === undefined || HOP_BY_HOP.has(name)) continue;
      headers[name] = typeof value === 'string' ? withKeys(name, value) : value;
    }
    const upstream = sendRequest(addressOf(path), { headers });
    connection.once('close', () => upstream.destroy());
    upstream.once('upgrade', (answer, far, farHead) => {
      connection.write(headOf(answer));
      join(connection, far, head, farHead);
    });
    upstream.once('response', (answer) => {
      connection.write(headOf(answer));
      answer.pipe(connection);
    });
    upstream.once('error', () => {
      if (connection.writable && connection.writableLength === 0) {
        connection.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      }
    });
    upstream.end();
  }

  function join(near: Duplex, far: Duplex, nearHead: Buffer, farHead: Buffer): void {
    sockets.add(near);
    if (nearHead.length > 0) far.write(nearHead);
    if (farHead.length > 0) near.write(farHead);
    near.pipe(far).pipe(near);
    far.on('error', () => near.destroy());
    far.once('close', () => near.destroy());
    near.once('close', () => {
      sockets.delete(near);
      far.destroy();
    });
  }

  server.on('upgrade', forwardUpgrade);
  return {
    fetch: forward,
    close: async () => {
      server.off('upgrade', forwardUpgrade);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The response line and headers as they came, without those that belong to the other connection. */
function headOf({ statusCode = 502, rawHeaders, headers }: IncomingMessage): string {
  const isUpgrade = statusCode === 101;
  const lines = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isUpgrade || !HOP_BY_HOP.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  if (!isUpgrade) {
    // Node has decoded the chunks, so only the end of the connection marks the end of the body.
    if (headers['content-length'] !== undefined) lines.push(`content-length: ${headers['content-length']}`);
    lines.push('connection: close');
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
