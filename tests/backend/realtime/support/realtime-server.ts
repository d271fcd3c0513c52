// A Realtime server with its own database, with policies that read a table of grants.
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { SignJWT } from 'jose';
import type { Engine } from '../../../../backend/engine.ts';
import { type PostgresEngine, openPostgresEngine } from '../../../../backend/engine/postgres-engine.ts';
import type { RealtimeOptions } from '../../../../backend/realtime/limits/options.ts';
import { type RealtimeMount, mountRealtime } from '../../../../backend/realtime/mount-realtime.ts';
import { copyDatabase, dropDatabase } from '../../../support/database/databases.ts';
import { RawClient } from './raw-client.ts';

export const SECRET = 'a-secret-of-at-least-thirty-two-characters';
export const ANON_KEY = 'sb_publishable_test';
export const SERVICE_ROLE_KEY = 'sb_secret_test';

export type Grant = { topic: string; who: string; extension: 'broadcast' | 'presence'; mode: 'read' | 'write' };

/** `url` is for other clients. */
export type RealtimeEngine = PostgresEngine & { readonly url: string };

/** Opens a new database that is dropped on close. One per test file. */
export async function openRealtimeEngine(): Promise<RealtimeEngine> {
  const url = await copyDatabase('realtime');
  const engine = await openPostgresEngine({ url });
  const close = engine.close.bind(engine);
  return Object.assign(engine, {
    url,
    close: async () => {
      await close();
      await dropDatabase(url);
    },
  });
}

export class RealtimeServer {
  readonly #http: Server;
  readonly #mount: RealtimeMount;
  readonly #clients = new Set<RawClient>();
  readonly pg: Engine;
  readonly logged: string[] = [];
  readonly port: number;

  private constructor(pg: Engine, http: Server, port: number, options: Partial<RealtimeOptions>) {
    this.pg = pg;
    this.#http = http;
    this.port = port;
    this.#mount = mountRealtime({
      server: http,
      pg,
      jwtSecret: SECRET,
      anonKey: ANON_KEY,
      serviceRoleKey: SERVICE_ROLE_KEY,
      options: { connectErrorDelayMs: 1, channelErrorDelayMs: 1, log: (line) => this.logged.push(line), ...options },
    });
  }

  static async start(pg: Engine, options: Partial<RealtimeOptions> = {}, port = 0): Promise<RealtimeServer> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
    const address = http.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new RealtimeServer(pg, http, address.port, options);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  address(query: Record<string, string>): string {
    return `ws://127.0.0.1:${this.port}/realtime/v1/websocket?${new URLSearchParams(query)}`;
  }

  async connect(apikey: string = ANON_KEY): Promise<RawClient> {
    const client = await RawClient.open(this.address({ apikey, vsn: '2.0.0' }));
    this.#clients.add(client);
    return client;
  }

  /** Adds another upgrade listener to the HTTP server; the returned function removes it. */
  onUpgrade(listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): () => void {
    this.#http.on('upgrade', listener);
    return () => this.#http.off('upgrade', listener);
  }

  async grant(...grants: Grant[]): Promise<void> {
    for (const { topic, who, extension, mode } of grants) {
      await this.pg.query('insert into public.grants values ($1, $2, $3, $4)', [topic, who, extension, mode]);
    }
  }

  /** Safe to call twice. */
  async close(): Promise<void> {
    if (!this.#http.listening) return;
    await this.#mount.close();
    for (const client of this.#clients) client.end();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
    await this.pg.exec('delete from public.grants; delete from realtime.messages');
  }
}

/** Blocks all policy checks of a topic until the returned function is called. */
export async function holdGrants(pg: Engine): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await new Promise<void>((held) => {
    void pg.transaction(async (tx) => {
      await tx.exec('lock table public.grants in access exclusive mode');
      held();
      await promise;
    });
  });
  return resolve;
}

/** A token like that of a user's session; `who` is the `sub`. */
export function tokenOf(who: string, claims: Record<string, unknown> = {}, secret = SECRET): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  return new SignJWT({ role: 'authenticated', sub: who, exp: seconds + 3600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
}

/** Grants every right on a topic to each of them. */
export function fullGrants(topic: string, ...people: string[]): Grant[] {
  return people.flatMap((who) =>
    (['broadcast', 'presence'] as const).flatMap((extension) =>
      (['read', 'write'] as const).map((mode) => ({ topic, who, extension, mode })),
    ),
  );
}
