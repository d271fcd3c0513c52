// A Supabase Realtime server beside this backend, below /realtime/v1, as the gateway of a Supabase project puts it there:
// `/realtime/v1/api/…` is its `/api/…`, everything else its `/socket/…`. Passes bytes on and reads none.
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
  /** False: not let in, and told so. */
  readonly admits: (request: IncomingMessage, connection: Duplex) => boolean;
};

const PREFIX = /^\/realtime\/v1(?=\/|\?|$)/;
const UNREACHABLE = { message: 'The Realtime server cannot be reached.' };
/** Of one connection, which the other side must not be told. */
const HOP_BY_HOP = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length']);

export function proxyRealtime({ server, target, keys, jwtKeys, admits }: RealtimeProxyParts): RealtimeMount {
  const sockets = new Set<Duplex>();
  const base = target.replace(/\/+$/, '');
  const ask = base.startsWith('https:') ? httpsRequest : httpRequest;
  /** A key of the new form as the one that every Realtime server understands. */
  const understood = (key: string): string =>
    key === keys.anonKey ? jwtKeys.anon : key === keys.serviceRoleKey ? jwtKeys.service_role : key;

  /** `path` with its query. */
  function addressOf(path: string): URL {
    const rest = path.replace(PREFIX, '');
    const url = new URL(base + (/^\/api(?=\/|\?|$)/.test(rest) ? rest : `/socket${rest}`));
    const key = url.searchParams.get('apikey');
    if (key !== null) url.searchParams.set('apikey', understood(key));
    return url;
  }

  const withKeys = (name: string, value: string): string => {
    if (name === 'apikey' || name === 'x-api-key') return understood(value);
    return name === 'authorization'
      ? value.replace(/^Bearer (.+)$/, (_, key: string) => `Bearer ${understood(key)}`)
      : value;
  };

  async function pass(request: Request): Promise<Response> {
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
      // `fetch` has decoded the body.
      const told = new Headers(answer.headers);
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) told.delete(name);
      return new Response(answer.body, { status: answer.status, headers: told });
    } catch {
      return Response.json(UNREACHABLE, { status: 503 });
    }
  }

  function passUpgrade(incoming: IncomingMessage, connection: Duplex, head: Buffer): void {
    const path = incoming.url ?? '';
    if (!PREFIX.test(path)) {
      // Where nobody else listens, nobody else would ever end this connection.
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
    const asked = ask(addressOf(path), { headers });
    connection.once('close', () => asked.destroy());
    asked.once('upgrade', (answer, far, farHead) => {
      connection.write(headOf(answer));
      join(connection, far, head, farHead);
    });
    asked.once('response', (answer) => {
      connection.write(headOf(answer));
      answer.pipe(connection);
    });
    asked.once('error', () => {
      if (connection.writable && connection.writableLength === 0) {
        connection.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      }
    });
    asked.end();
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

  server.on('upgrade', passUpgrade);
  return {
    fetch: pass,
    close: async () => {
      server.off('upgrade', passUpgrade);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** As it came, but for what belongs to the other connection. */
function headOf({ statusCode = 502, rawHeaders, headers }: IncomingMessage): string {
  const isUpgrade = statusCode === 101;
  const lines = [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isUpgrade || !HOP_BY_HOP.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  if (!isUpgrade) {
    // Node has undone chunks, so that only the end of the connection says where the body ends.
    if (headers['content-length'] !== undefined) lines.push(`content-length: ${headers['content-length']}`);
    lines.push('connection: close');
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
