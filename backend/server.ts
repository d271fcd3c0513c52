// The embedded Supabase on one port: Auth, REST and Storage by lite, Realtime by us, the app's own files and where it finds
// all that (/config.json), and the inbox of mails.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { assert } from '../src/lib/assert.ts';
import { withWholeBody } from './body-limit.ts';
import { type Database, openDatabase } from './database.ts';
import { serveMailPage } from './mail-page.ts';
import { mountRealtime } from './realtime/mount-realtime.ts';
import { isPreflight, preflightResponse, withApiHeaders, withPageHeaders } from './response-headers.ts';
import { StartError, systemCode } from './start-error.ts';
import { StaticFiles } from './static-files.ts';

export type ServerOptions = {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Where the data lives; null: in memory. */
  readonly dir: string | null;
  /** The built app; null: the API alone. */
  readonly staticDir?: string | null;
  /** See `DatabaseOptions`. */
  readonly image?: Blob;
  readonly migrationsDir?: string;
};

export type RunningServer = {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Always null on PGlite: SQL clients would run inside other requests' transactions. */
  readonly dbUrl: null;
  readonly database: Database;
  /** Ends connections, lets running requests finish for a moment, closes the database. */
  close(): Promise<void>;
};

const API_PATH = /^\/(?:auth|rest|storage)\/v1(?:\/|$)/;
const REALTIME_PATH = /^\/realtime\/v1(?:\/|\?|$)/;
/** How long running requests may take when the server stops. */
const GRACE_MS = 2_000;

/** Throws a `StartError` when the port or the data directory cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dir, host, port, staticDir = null } = options;
  let answer: Answer = async () => new Response('Weft is starting.', { status: 503, headers: { 'retry-after': '2' } });
  const listener = getRequestListener((request, { incoming }) => answer(request, peerOf(incoming)), {
    overrideGlobalObjects: false,
  });
  const server = createServer((request, response) => void listener(request, response));
  // The port first: a busy one is then known before a database is made.
  await listen(server, host, port);
  try {
    const database = await openDatabase({
      dir,
      ...(options.image === undefined ? {} : { image: options.image }),
      ...(options.migrationsDir === undefined ? {} : { migrationsDir: options.migrationsDir }),
    });
    const url = addressOf(server, host);
    database.setOrigin(url);
    const { anonKey, serviceRoleKey, jwtSecret } = database.keys;
    answer = createAnswer(database, staticDir === null ? null : new StaticFiles(staticDir));
    const realtime = mountRealtime({ server, pg: database.pg, jwtSecret, anonKey, serviceRoleKey });
    server.on('upgrade', (request, socket) => {
      if (!REALTIME_PATH.test(request.url ?? '')) socket.destroy();
    });
    const close = async () => {
      await realtime.close();
      await closeServer(server);
      await database.close();
    };
    let closing: Promise<void> | null = null;
    return { url, anonKey, serviceRoleKey, dbUrl: null, database, close: () => (closing ??= close()) };
  } catch (error) {
    server.close();
    throw error;
  }
}

type Answer = (request: Request, peerAddress: string | null) => Promise<Response>;

function createAnswer(database: Database, files: StaticFiles | null): Answer {
  // The address is left out: the app was loaded from where its backend is.
  const config = { url: '', anonKey: database.keys.anonKey, embedded: true, guests: true };
  const answer: Answer = async (request, peerAddress) => {
    const { pathname } = new URL(request.url);
    if (API_PATH.test(pathname)) {
      if (isPreflight(request)) return preflightResponse(request);
      const whole = await withWholeBody(request);
      return withApiHeaders(
        whole === null
          ? Response.json({ message: 'The request is too large.' }, { status: 413 })
          : await database.fetch(whole, peerAddress),
      );
    }
    if (pathname === '/config.json') {
      return withPageHeaders(Response.json(config, { headers: { 'cache-control': 'no-store' } }));
    }
    if (pathname === '/__mail' || pathname === '/__mail.json') {
      return withPageHeaders(serveMailPage(request, database.mailbox, peerAddress));
    }
    return withPageHeaders(files === null ? new Response('Not found', { status: 404 }) : await files.serve(request));
  };
  return async (request, peerAddress) => {
    try {
      return await answer(request, peerAddress);
    } catch (error) {
      // The caller has left; there is nobody to answer.
      if (systemCode(error) === 'ECONNRESET') return new Response(null, { status: 400 });
      // A bug of ours or of lite: the operator sees it, the caller only that it is one.
      process.stderr.write(`${request.method} ${new URL(request.url).pathname}: ${inspect(error)}\n`);
      return withApiHeaders(Response.json({ message: 'Internal server error' }, { status: 500 }));
    }
  };
}

/** Null where a proxy asks and may say nothing of it: nginx, left to its defaults, is all that still speaks HTTP/1.0. */
function peerOf(incoming: IncomingMessage | Http2ServerRequest): string | null {
  return incoming.httpVersion === '1.0' ? null : (incoming.socket.remoteAddress ?? null);
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const sentence = {
      EADDRINUSE: `Port ${port} is in use; choose another with --port.`,
      EACCES: `Port ${port} may not be used by this account; choose another with --port.`,
      EADDRNOTAVAIL: `This machine has no address ${host}; choose another with --host.`,
      ENOTFOUND: `This machine has no address ${host}; choose another with --host.`,
    }[systemCode(cause) ?? ''];
    throw sentence === undefined ? cause : new StartError(sentence, { cause });
  }
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  assert(address !== null && typeof address === 'object', 'the server listens on a port');
  // Listening everywhere is no address to give to anybody.
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await Promise.race([closed, delay(GRACE_MS, null, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
