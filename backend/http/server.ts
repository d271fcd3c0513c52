// The embedded Supabase on one port: REST by lite, Auth, Storage and Realtime by us, the app’s own files. Starts and stops
// it; who gets in is decided in gateway/, what is answered in answer.ts.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { assert } from '../../src/lib/assert.ts';
import { type Answer, createAnswer } from './answer.ts';
import { sayWhereItRuns } from '../backup/ask-running.ts';
import { type AddressSet, NO_ADDRESSES, isLoopback, networkAddresses } from '../gateway/addresses.ts';
import { HttpGateway } from '../gateway/http-gateway.ts';
import { hostOf, knownHosts } from '../gateway/known-hosts.ts';
import { type GatewayLimits, DEFAULT_LIMITS } from '../gateway/limits.ts';
import { retryLater } from '../gateway/refusal.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.ts';
import { makeJwtKeys } from '../keys/jwt-keys.ts';
import { proxyRealtime } from './realtime-proxy.ts';
import { mountRealtime } from '../realtime/mount-realtime.ts';
import { StartError, systemCode } from '../start-error.ts';
import { StaticFiles } from './static-files.ts';

export type ServerOptions = {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Where the data lives; null: in memory. */
  readonly dir: string | null;
  /** See `DatabaseOptions`. */
  readonly databaseUrl?: string | undefined;
  /** A Realtime server on the same database, in place of ours; needs `jwtSecret`. */
  readonly realtimeUrl?: string | undefined;
  /** See `DatabaseOptions`. */
  readonly jwtSecret?: string | undefined;
  /** The built app; null: the API alone. */
  readonly staticDir?: string | null;
  /** See `DatabaseOptions`. */
  readonly migrationsDir?: string;
  readonly auth?: DatabaseOptions['auth'];
  /** Where people reach it, when that is another address: "https://weft.example". */
  readonly publicUrl?: string | null;
  /** Names under which it answers besides those that nobody can point elsewhere. */
  readonly allowedHosts?: readonly string[];
  /** Proxies whose X-Forwarded-For and -Proto are believed. */
  readonly trustedProxies?: AddressSet;
  /** Who may read the inbox besides this machine. */
  readonly mailReaders?: AddressSet;
  readonly limits?: Partial<GatewayLimits>;
  /** What the operator should know of refused requests. */
  readonly log?: (line: string) => void;
};

export type RunningServer = {
  /** For this machine. */
  readonly url: string;
  /** For others on the network; none when they cannot reach it. */
  readonly networkUrls: readonly string[];
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Where SQL clients connect. */
  readonly dbUrl: string;
  readonly database: Database;
  /** Ends connections, lets running requests finish for a moment, closes the database. */
  close(): Promise<void>;
};

/** How long running requests may take when the server stops. */
const GRACE_MS = 2_000;
const START_MS = 2_000;

/** Throws a `StartError` when the port or the data directory cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dir, host, port, publicUrl = null, realtimeUrl, staticDir = null } = options;
  const limits: GatewayLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const gateway = new HttpGateway({
    limits,
    hosts: knownHosts(!isLoopbackHost(host), [...(options.allowedHosts ?? []), ...hostsOf(publicUrl)]),
    trustedProxies: options.trustedProxies ?? NO_ADDRESSES,
    log: options.log ?? ((line) => process.stderr.write(`${line}\n`)),
  });
  let answer: Answer = async (incoming, outgoing, client) =>
    gateway.turnAway(incoming, outgoing, retryLater(503, 'Weft is starting.', START_MS), client);
  const server = createServer(gateway.serverOptions);
  const running = new Set<ServerResponse>();
  let isStopping = false;
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse, isWaiting: boolean) => {
    running.add(outgoing);
    outgoing.once('close', () => running.delete(outgoing));
    outgoing.shouldKeepAlive &&= !isStopping;
    const client = gateway.admit(incoming, outgoing);
    if (client !== null) void answer(incoming, outgoing, client, isWaiting);
  };
  gateway.guard(server);
  server.on('request', (incoming, outgoing) => handle(incoming, outgoing, false));
  server.on('checkContinue', (incoming, outgoing) => handle(incoming, outgoing, true));
  // The port first: a busy one is then known before a database is made.
  await listen(server, host, port);
  try {
    const database = await openDatabase({
      dir,
      databaseUrl: options.databaseUrl,
      foreignRealtime: realtimeUrl !== undefined,
      jwtSecret: options.jwtSecret,
      ...(options.migrationsDir === undefined ? {} : { migrationsDir: options.migrationsDir }),
      auth: { redirectHosts: (options.allowedHosts ?? []).map((name) => name.toLowerCase()), ...options.auth },
    });
    const url = addressOf(server, host);
    const networkUrls = networkAddresses(host).map((address) => addressOf(server, address));
    database.setOrigin(publicUrl ?? networkUrls[0] ?? url);
    const { keys } = database;
    const admits = (request: IncomingMessage, connection: Duplex) => gateway.admitSocket(request, connection);
    const jwtKeys = realtimeUrl === undefined ? null : await makeJwtKeys(keys.jwtSecret);
    const realtime =
      realtimeUrl === undefined || jwtKeys === null
        ? mountRealtime({ server, pg: database.pg, ...keys, admits })
        : proxyRealtime({ server, target: realtimeUrl, keys, jwtKeys, admits });
    // Those that the other server understands as well.
    const anonKey = jwtKeys?.anon ?? keys.anonKey;
    const serviceRoleKey = jwtKeys?.service_role ?? keys.serviceRoleKey;
    answer = createAnswer({
      gateway,
      database,
      anonKey,
      files: staticDir === null ? null : new StaticFiles(staticDir),
      limits,
      dir,
      mailReaders: options.mailReaders ?? NO_ADDRESSES,
      realtime: realtime.fetch,
    });
    const forgetAddress = dir === null ? null : await sayWhereItRuns(dir, { url, dbUrl: database.url });
    const close = async () => {
      await forgetAddress?.();
      isStopping = true;
      // Whoever waits for an answer gets it, and the connection ends with it.
      for (const outgoing of running) outgoing.shouldKeepAlive = false;
      await realtime.close();
      await closeServer(server);
      await database.close();
    };
    let closing: Promise<void> | null = null;
    return {
      url,
      networkUrls,
      anonKey,
      serviceRoleKey,
      dbUrl: database.url,
      database,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

function hostsOf(url: string | null): readonly string[] {
  const name = url === null ? null : hostOf(new URL(url).host);
  return name === null ? [] : [name];
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
  await Promise.race([closed, delay(GRACE_MS, null, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
