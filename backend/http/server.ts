// The embedded Supabase and the app on one port. This module starts and stops them; gateway/ decides which requests get
// in, request-router.ts which handler answers them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { assert } from '../../src/lib/assert.ts';
import { writeAddressFile } from '../backup/running-backend.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.ts';
import { type AddressSet, NO_ADDRESSES, isLoopback, networkAddresses } from '../gateway/addresses.ts';
import { HttpGateway } from '../gateway/http-gateway.ts';
import { hostOf, knownHosts } from '../gateway/known-hosts.ts';
import { type GatewayLimits, DEFAULT_LIMITS } from '../gateway/limits.ts';
import { retryLater } from '../gateway/refusal.ts';
import type { RealtimeOptions } from '../realtime/limits/options.ts';
import { PLANS, type Plan } from '../realtime/limits/plans.ts';
import { mountRealtime } from '../realtime/mount-realtime.ts';
import { StartError, systemCode } from '../start-error.ts';
import { type RouteRequest, createRouter } from './request-router.ts';
import { StaticFiles } from './static-files.ts';

export type ServerOptions = {
  /** 0 means any free port. */
  readonly port: number;
  readonly host: string;
  /** The data directory; null: everything is temporary and removed by `close`. */
  readonly dir: string | null;
  /** See `DatabaseOptions`. */
  readonly databaseUrl?: string | undefined;
  /** The folder of the built app; null serves the API only. */
  readonly staticDir?: string | null;
  /** See `DatabaseOptions`. */
  readonly migrationsDir?: string;
  readonly auth?: DatabaseOptions['auth'];
  /** The address under which people reach the server, when it differs: "https://weft.example". */
  readonly publicUrl?: string | null;
  /** Further host names under which the server answers, besides those of `knownHosts`. */
  readonly allowedHosts?: readonly string[];
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies?: AddressSet;
  /** Addresses besides this machine that may read the mail page. */
  readonly mailReaders?: AddressSet;
  /** The source of a module that gets the errors of the app (docs/errors.md). */
  readonly onError?: string | null;
  /** Origins besides its own that the app may send to: "https://collector.example". */
  readonly connectTo?: readonly string[];
  readonly limits?: Partial<GatewayLimits>;
  /** The plan whose Realtime limits the embedded server has (WEFT_PLAN); without one they are far above any plan's. */
  readonly plan?: Plan | undefined;
  /** Options of the embedded Realtime. */
  readonly realtimeLimits?: Partial<RealtimeOptions>;
  /** Receives lines about refused requests, a few per minute at most. */
  readonly log?: (line: string) => void;
};

export type RunningServer = {
  /** The address for this machine. */
  readonly url: string;
  /** The addresses for other machines; empty when they cannot reach the server. */
  readonly networkUrls: readonly string[];
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** The address for SQL clients. */
  readonly dbUrl: string;
  readonly database: Database;
  /** Lets running requests finish for a moment, ends all connections and closes the database. */
  close(): Promise<void>;
};

/** Weft uses only private channels. On others everyone with the public key could send to everyone. */
const REALTIME: Partial<RealtimeOptions> = { privateOnly: true };
/** How long running requests may take when the server stops. */
const GRACE_MS = 2_000;
const START_RETRY_MS = 2_000;

/** Throws a `StartError` when the port or the data directory cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dir, host, port, publicUrl = null, staticDir = null } = options;
  const limits: GatewayLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const planLimits = options.plan === undefined ? null : PLANS[options.plan];
  const gateway = new HttpGateway({
    limits,
    hosts: knownHosts(!isLoopbackHost(host), [...(options.allowedHosts ?? []), ...hostsOf(publicUrl)]),
    trustedProxies: options.trustedProxies ?? NO_ADDRESSES,
    log: options.log ?? ((line) => process.stderr.write(`${line}\n`)),
  });
  let answer: RouteRequest = async (incoming, outgoing, client) =>
    gateway.refuse(incoming, outgoing, retryLater(503, 'Weft is starting.', START_RETRY_MS), client);
  const server = createServer(gateway.serverOptions);
  const running = new RunningAnswers();
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse, isWaiting: boolean) => {
    running.add(outgoing);
    const client = gateway.admit(incoming, outgoing);
    if (client !== null) void answer(incoming, outgoing, client, isWaiting);
  };
  gateway.attach(server);
  server.on('request', (incoming, outgoing) => handle(incoming, outgoing, false));
  server.on('checkContinue', (incoming, outgoing) => handle(incoming, outgoing, true));
  // Listen first, so that a busy port is reported before a database is created.
  await listen(server, host, port);
  try {
    const database = await openDatabase({
      dir,
      databaseUrl: options.databaseUrl,
      messagesPerSecond: planLimits?.maxEventsPerSecond,
      ...(options.migrationsDir === undefined ? {} : { migrationsDir: options.migrationsDir }),
      auth: { redirectHosts: (options.allowedHosts ?? []).map((name) => name.toLowerCase()), ...options.auth },
    });
    const url = addressOf(server, host);
    const networkUrls = networkAddresses(host).map((address) => addressOf(server, address));
    database.setOrigin(publicUrl ?? networkUrls[0] ?? url);
    const { anonKey, serviceRoleKey } = database.keys;
    const removeAddressFile = dir === null ? null : await writeAddress(dir, url, database);
    const realtime = mountRealtime({
      server,
      pg: database.pg,
      ...database.keys,
      admits: (request, connection) => gateway.admitSocket(request, connection),
      options: { ...REALTIME, ...planLimits, ...options.realtimeLimits },
    });
    answer = createRouter({
      gateway,
      database,
      anonKey,
      liveBudget: planLimits?.maxEventsPerSecond ?? null,
      files: staticDir === null ? null : new StaticFiles(staticDir),
      limits,
      dir,
      mailReaders: options.mailReaders ?? NO_ADDRESSES,
      onError: options.onError ?? null,
      connectTo: options.connectTo ?? [],
    });
    const close = async () => {
      await removeAddressFile?.();
      running.closeConnections();
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

/** Closes the database if the address cannot be written. Returns a function that removes the file again. */
async function writeAddress(dir: string, url: string, database: Database): Promise<() => Promise<void>> {
  try {
    return await writeAddressFile(dir, { url, dbUrl: database.url });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The answers that are not sent yet. */
class RunningAnswers {
  readonly #answers = new Set<ServerResponse>();
  #isClosing = false;

  add(outgoing: ServerResponse): void {
    this.#answers.add(outgoing);
    outgoing.once('close', () => this.#answers.delete(outgoing));
    outgoing.shouldKeepAlive &&= !this.#isClosing;
  }

  /** Running requests still get their answer; their connections end with it. */
  closeConnections(): void {
    this.#isClosing = true;
    for (const outgoing of this.#answers) outgoing.shouldKeepAlive = false;
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
  // "All interfaces" is not an address that a client can use.
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
