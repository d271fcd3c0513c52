// The Realtime server under test: ours, started per file with the limits of Supabase Realtime and short delays, or the
// server that the environment names. A test may rely only on what both do.
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { RealtimeOptions } from '../../../../backend/realtime/limits/options.ts';
import { PgConnection } from '../../../support/database/pg-connection.ts';
import { RawClient } from '../support/raw-client.ts';
import { ANON_KEY, RealtimeServer, SECRET, SERVICE_ROLE_KEY, openRealtimeEngine } from '../support/realtime-server.ts';

export type Grant = {
  readonly who: string;
  readonly extension: 'broadcast' | 'presence';
  readonly mode: 'read' | 'write';
};

const environment = (name: string) => {
  const value = process.env[name];
  return value === undefined || value === '' ? null : value;
};
const REMOTE_URL = environment('REALTIME_URL');
const REMOTE_DATABASE_URL = environment('REALTIME_DATABASE_URL');

/** Tests that need policies are skipped, and reported as skipped, when no database can be reached. */
export const HAS_DATABASE = REMOTE_URL === null || REMOTE_DATABASE_URL !== null;

type Facts = {
  readonly connectErrorDelayMs: number;
  readonly channelErrorDelayMs: number;
  readonly idleTimeoutMs: number;
  readonly maxChannels: number;
  readonly maxEventsPerSecond: number;
  /** The length of a tick of the rate counters. */
  readonly rateTickMs: number;
  /** The rate counters cover this time. */
  readonly rateWindowMs: number;
  /** How long a test waits for a frame. */
  readonly frameTimeoutMs: number;
  /** After this time, a test assumes that no further frame will come. */
  readonly settleMs: number;
};

const LOCAL_FACTS: Facts = {
  connectErrorDelayMs: 100,
  channelErrorDelayMs: 100,
  idleTimeoutMs: 3_000,
  maxChannels: 100,
  maxEventsPerSecond: 100,
  rateTickMs: 200,
  rateWindowMs: 0,
  frameTimeoutMs: 10_000,
  settleMs: 0,
};

const number = (name: string, otherwise: number) => Number(environment(name) ?? otherwise);
const REMOTE_FACTS: Facts = {
  connectErrorDelayMs: number('REALTIME_CONNECT_ERROR_MS', 2_000),
  channelErrorDelayMs: number('REALTIME_CHANNEL_ERROR_MS', 5_000),
  idleTimeoutMs: number('REALTIME_IDLE_MS', 60_000),
  maxChannels: number('REALTIME_MAX_CHANNELS', 100),
  maxEventsPerSecond: number('REALTIME_MAX_EVENTS_PER_SECOND', 100),
  rateTickMs: number('REALTIME_RATE_TICK_MS', 5_000),
  rateWindowMs: 12 * number('REALTIME_RATE_TICK_MS', 5_000),
  frameTimeoutMs: number('REALTIME_PATIENCE_MS', 15_000),
  settleMs: number('REALTIME_SETTLE_MS', 300),
};

type Database = {
  readonly query: <R extends Record<string, unknown>>(sql: string, params?: unknown[]) => Promise<R[]>;
  readonly exec: (sql: string) => Promise<unknown>;
};
type Running = {
  /** The URL below which "/websocket" lies. */
  readonly socketBase: string;
  readonly database: Database | null;
  readonly close: () => Promise<void>;
};

export class Target {
  readonly facts: Facts = REMOTE_URL === null ? LOCAL_FACTS : REMOTE_FACTS;
  readonly secret = REMOTE_URL === null ? SECRET : (environment('REALTIME_JWT_SECRET') ?? '');
  /** Unique to this file and this run. */
  readonly room = `room-${crypto.randomUUID().slice(0, 8)}`;
  readonly topic = `realtime:${this.room}`;
  anonKey = '';
  serviceKey = '';
  readonly #clients = new Set<RawClient>();
  readonly #meetsLimits: boolean;
  #running: Running | null = null;

  constructor(meetsLimits: boolean) {
    this.#meetsLimits = meetsLimits;
  }

  async open(): Promise<void> {
    this.anonKey = REMOTE_URL === null ? ANON_KEY : (environment('REALTIME_ANON_KEY') ?? (await this.#keyOf('anon')));
    this.serviceKey =
      REMOTE_URL === null
        ? SERVICE_ROLE_KEY
        : (environment('REALTIME_SERVICE_KEY') ?? (await this.#keyOf('service_role')));
    this.#running =
      REMOTE_URL === null
        ? await startLocalServer(this.facts, this.#meetsLimits)
        : await connectToRemoteServer(REMOTE_URL);
    if (this.#running.database !== null) await this.exec(POLICIES);
  }

  /** Between tests: disconnects all clients and revokes all rights. */
  async reset(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.leave()));
    this.#clients.clear();
    if (HAS_DATABASE) await this.revoke();
    await delay(this.facts.settleMs);
  }

  async close(): Promise<void> {
    if (REMOTE_URL !== null && HAS_DATABASE) await this.exec(NO_POLICIES);
    await this.#running?.close();
  }

  /** For clients that append "/websocket" themselves. */
  get socketUrl(): string {
    return this.#opened.socketBase.replace(/^http/, 'ws');
  }

  address(query: Record<string, string>): string {
    return `${this.socketUrl}/websocket?${new URLSearchParams(query)}`;
  }

  async connect(apikey = this.anonKey): Promise<RawClient> {
    const client = await RawClient.open(this.address({ apikey, vsn: '2.0.0' }), this.facts);
    this.#clients.add(client);
    return client;
  }

  /** Grants rights on the room of this file. */
  async grant(...grants: readonly Grant[]): Promise<void> {
    for (const { who, extension, mode } of grants) {
      await this.sql('insert into realtime_test.grants values ($1, $2, $3, $4)', [this.room, who, extension, mode]);
    }
  }

  /** Grants every right to each of them. */
  async grantAll(...people: readonly string[]): Promise<void> {
    for (const who of people) {
      for (const extension of ['broadcast', 'presence'] as const) {
        await this.grant({ who, extension, mode: 'read' }, { who, extension, mode: 'write' });
      }
    }
  }

  async revoke(mode: 'read' | 'write' | '%' = '%'): Promise<void> {
    await this.sql('delete from realtime_test.grants where topic = $1 and mode like $2', [this.room, mode]);
  }

  async sql<R extends Record<string, unknown>>(sql: string, params?: unknown[]): Promise<R[]> {
    return this.#database.query<R>(sql, params);
  }

  /** Runs several statements in one transaction. */
  async exec(sql: string): Promise<void> {
    await this.#database.exec(sql);
  }

  /** A token like that of a user's session; `who` is the `sub`. */
  tokenOf(who: string, claims: Record<string, unknown> = {}, secret = this.secret): Promise<string> {
    return this.tokenWith({ role: 'authenticated', sub: who, exp: secondsFromNow(3600), ...claims }, secret);
  }

  /** A token with exactly these claims. */
  tokenWith(claims: Record<string, unknown>, secret = this.secret): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(new TextEncoder().encode(secret));
  }

  get #database(): Database {
    const { database } = this.#opened;
    if (database === null) throw new Error('This test needs REALTIME_DATABASE_URL and is not skipped without.');
    return database;
  }

  get #opened(): Running {
    if (this.#running === null) throw new Error('The target opens before the first test.');
    return this.#running;
  }

  #keyOf(role: string): Promise<string> {
    return this.tokenWith({ role, exp: secondsFromNow(86_400) });
  }
}

/**
 * One target per test file. With `meetsLimits`, our server closes idle sockets and counts messages like Supabase
 * Realtime; without it, tests need not keep sending or send little.
 */
export function useTarget({ meetsLimits = false } = {}): Target {
  const target = new Target(meetsLimits);
  beforeAll(() => target.open());
  afterEach(() => target.reset());
  afterAll(() => target.close());
  return target;
}

export const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

async function startLocalServer(facts: Facts, meetsLimits: boolean): Promise<Running> {
  const engine = await openRealtimeEngine();
  const { connectErrorDelayMs, channelErrorDelayMs, idleTimeoutMs, maxChannels, maxEventsPerSecond, rateTickMs } =
    facts;
  const options: Partial<RealtimeOptions> = { connectErrorDelayMs, channelErrorDelayMs, maxChannels, rateTickMs };
  const server = await RealtimeServer.start(engine, {
    ...options,
    ...(meetsLimits ? { idleTimeoutMs, maxEventsPerSecond } : {}),
  });
  return {
    socketBase: `${server.url}/realtime/v1`,
    database: {
      query: async <R>(sql: string, params?: unknown[]) => (await engine.query<R>(sql, params)).rows,
      exec: (sql) => engine.exec(sql),
    },
    async close() {
      await server.close();
      await engine.close();
    },
  };
}

async function connectToRemoteServer(url: string): Promise<Running> {
  const database = REMOTE_DATABASE_URL === null ? null : await PgConnection.open(REMOTE_DATABASE_URL);
  return {
    socketBase: url.replace(/\/$/, ''),
    database:
      database === null
        ? null
        : { query: (sql, params) => database.query(sql, params), exec: (sql) => database.query(sql) },
    close: async () => database?.close(),
  };
}

/** Each right on a topic is a row; `who` is a `sub`, or the role of a token without one. */
const POLICIES = `
  create schema if not exists realtime_test;
  grant usage on schema realtime_test to anon, authenticated;
  create table if not exists realtime_test.grants (topic text, who text, extension text, mode text);
  grant select on realtime_test.grants to anon, authenticated;
  create or replace function realtime_test.granted(kind text, ext text) returns boolean language sql stable as $$
    select exists (
      select from realtime_test.grants g
      where g.topic = realtime.topic() and g.extension = ext and g.mode = kind
        and g.who = coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', current_user)
    )
  $$;
  drop policy if exists realtime_test_read on realtime.messages;
  create policy realtime_test_read on realtime.messages for select to anon, authenticated
    using (realtime_test.granted('read', extension));
  drop policy if exists realtime_test_write on realtime.messages;
  create policy realtime_test_write on realtime.messages for insert to anon, authenticated
    with check (realtime_test.granted('write', extension));
`;

const NO_POLICIES = `
  drop policy if exists realtime_test_read on realtime.messages;
  drop policy if exists realtime_test_write on realtime.messages;
  drop schema if exists realtime_test cascade;
`;
