// The engine on PostgreSQL: time limits, transactions, lost connections; which databases the backend accepts; what clients
// get while the database cannot be reached.
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type PostgresEngine, openPostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { type RunningServer, startServer } from '../../../backend/http/server.ts';
import { StartError } from '../../../backend/start-error.ts';
import { readEnvironment } from '../../../backend/start/environment.ts';
import { copyDatabase, dropDatabase, emptyDatabase, serverUrl } from '../../support/database/databases.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { CutProxy } from '../../support/server/cut-proxy.ts';

const UNREACHABLE = { code: '57P01' };

/** The errors that would end the process while `work` is under way or soon after. Vitest catches them otherwise. */
async function uncaughtErrorsDuring(work: Promise<unknown>): Promise<readonly unknown[]> {
  const uncaught: unknown[] = [];
  const others = process.listeners('uncaughtException');
  const collect = (error: unknown) => uncaught.push(error);
  process.removeAllListeners('uncaughtException').on('uncaughtException', collect);
  await work.catch(() => {});
  await delay(50);
  process.removeListener('uncaughtException', collect);
  for (const listener of others) process.on('uncaughtException', listener);
  return uncaught;
}

describe('an engine', () => {
  let url: string;
  let proxy: CutProxy;
  let engine: PostgresEngine;
  beforeAll(async () => {
    url = await copyDatabase('backend');
    proxy = await CutProxy.to(url);
    engine = await openPostgresEngine({
      url: proxy.url,
      limits: { roles: { anon: 200 }, other: 400, own: 600 },
    });
    await engine.exec('create table kept (n int)');
  });
  afterAll(async () => {
    await engine.close();
    await proxy.close();
    await dropDatabase(url);
  });

  test.each([
    ['anon', 200],
    ['authenticated', 400],
  ])('cancels a query of %s above its time limit', async (role, limit) => {
    const since = performance.now();
    const slow = engine.queryAs({ role }, 'select pg_sleep(5)');
    await expect(slow).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    });
    expect(performance.now() - since).toBeGreaterThanOrEqual(limit);
    const inside = engine.transaction(async (tx) => {
      await tx.set({ role });
      await tx.query('select pg_sleep(5)');
    });
    await expect(inside).rejects.toMatchObject({ code: '57014' });
  });

  test('runs scripts without a time limit, and restores the limit afterwards', async () => {
    await engine.exec('select pg_sleep(0.8)');
    await engine.transaction((tx) => tx.exec('select pg_sleep(0.8)'));
    await expect(engine.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
  });

  test('runs several transactions at once, each on its own connection', async () => {
    const { promise: bothInside, resolve } = Promise.withResolvers<void>();
    let inside = 0;
    const one = () =>
      engine.transaction(async (tx) => {
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        if (++inside === 2) resolve();
        await bothInside;
        return rows[0]?.pid;
      });
    const [first, second] = await Promise.all([one(), one()]);
    expect(first).not.toBe(second);
  });

  test('throws what the callback of a transaction threw: a full disk of ours is no lost connection', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await expect(
      engine.transaction(async () => {
        throw full;
      }),
    ).rejects.toBe(full);
    const { rows } = await engine.query<{ one: number }>('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('fails while the database cannot be reached, recovers, and reports that notifications were missed', async () => {
    const received: string[] = [];
    let gaps = 0;
    await engine.listen('news', (payload) => received.push(payload));
    engine.onGap(() => gaps++);
    const held = engine.transaction(async (tx) => {
      await tx.query('insert into kept values (1)');
      proxy.cut();
      await tx.query('insert into kept values (2)');
    });
    await expect(held).rejects.toMatchObject(UNREACHABLE);
    await expect(engine.query('select 1')).rejects.toMatchObject(UNREACHABLE);
    await expect(engine.queryAs({ role: 'anon' }, 'select 1')).rejects.toMatchObject(UNREACHABLE);
    proxy.mend();
    await expect.poll(() => gaps, { timeout: 20_000 }).toBe(1);
    expect((await engine.query('select count(*) as n from kept')).rows).toEqual([{ n: 0 }]);
    await engine.query(`select pg_notify('news', 'after')`);
    await expect.poll(() => received).toEqual(['after']);
  });

  test('survives a connection that ends while a transaction holds it', async () => {
    const held = engine.transaction(async (tx) => {
      proxy.reset();
      // No query is under way that could get the error.
      await delay(50);
      await tx.query('select 1');
    });
    expect(await uncaughtErrorsDuring(held)).toEqual([]);
    await expect(held).rejects.toMatchObject(UNREACHABLE);
  });

  test('survives a connection that breaks as its transaction is rolled back', async () => {
    const refusal = new Error('refused');
    const held = engine.transaction(() => {
      proxy.reset();
      return Promise.reject(refusal);
    });
    expect(await uncaughtErrorsDuring(held)).toEqual([]);
    await expect(held).rejects.toBe(refusal);
  });

  test('recovers when the server ends all its connections', async () => {
    const connection = await PgConnection.open(url);
    await connection.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await connection.close();
    const answer = async () => (await engine.query('select 1 as one').catch(() => null))?.rows;
    await expect.poll(answer).toEqual([{ one: 1 }]);
  });
});

describe('a backend', () => {
  const start = (databaseUrl: string): Promise<RunningServer> =>
    startServer({ port: 0, host: '127.0.0.1', dir: null, databaseUrl });

  test('answers 503 and closes sockets while the database cannot be reached, and recovers', async () => {
    const url = await copyDatabase('backend');
    const proxy = await CutProxy.to(url);
    const server = await start(proxy.url);
    const ask = async () =>
      (await fetch(`${server.url}/rest/v1/workspaces`, { headers: { apikey: server.serviceRoleKey } })).status;
    const query = new URLSearchParams({ apikey: server.anonKey, vsn: '2.0.0' });
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    try {
      expect(server.dbUrl).toBe(proxy.url);
      expect(await ask()).toBe(200);
      proxy.cut();
      expect(await ask()).toBe(503);
      proxy.mend();
      await expect.poll(ask, { timeout: 40_000 }).toBe(200);
      expect(await ended).toBe(1012);
    } finally {
      socket.terminate();
      await server.close();
      await proxy.close();
      await dropDatabase(url);
    }
  });

  test('claims an empty database, refuses a second Weft, and starts again on it', async () => {
    const url = await emptyDatabase();
    for (let round = 0; round < 2; round++) {
      const server = await start(url);
      await expect(start(url)).rejects.toThrow('Another Weft uses this database');
      await server.close();
    }
    await dropDatabase(url);
  });

  test('refuses a Supabase project and other databases with a schema auth', async () => {
    const url = await copyDatabase('hosted');
    await expect(start(url)).rejects.toThrow(StartError);
    await expect(start(url)).rejects.toThrow('a schema auth that Weft did not create');
    await dropDatabase(url);
  });

  test('refuses a user who is not a superuser, and names the statement that makes them one', async () => {
    const url = await emptyDatabase();
    const server = await PgConnection.open(await serverUrl());
    await server.query(`create role weak_owner login createrole createdb password 'weak'`);
    await server.query(`alter database ${new URL(url).pathname.slice(1)} owner to weak_owner`);
    const weak = new URL(url);
    weak.username = 'weak_owner';
    weak.password = 'weak';
    try {
      const sentence = await start(weak.href).catch((error: unknown) => error);
      expect(sentence).toBeInstanceOf(StartError);
      expect(String(sentence)).toMatch(/^Error: The user weak_owner of DATABASE_URL is not a superuser\. /);
      const [, advice = ''] = /: (alter role .*);$/.exec(String(sentence)) ?? [];
      await server.query(advice);
      await (await start(weak.href)).close();
    } finally {
      await dropDatabase(url);
      await server.query('drop role weak_owner');
      await server.close();
    }
  });

  test('reports a database that does not exist or cannot be reached', async () => {
    await expect(start('postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(StartError);
    const missing = new URL(await serverUrl());
    missing.pathname = '/not_there';
    await expect(start(missing.href)).rejects.toThrow('database "not_there" does not exist');
  });
});

describe('the environment', () => {
  test('names a database', () => {
    expect(readEnvironment({})).toEqual({ databaseUrl: undefined });
    expect(readEnvironment({ DATABASE_URL: ' ' })).toEqual({ databaseUrl: undefined });
    expect(readEnvironment({ DATABASE_URL: 'postgres://u@h/d' })).toEqual({ databaseUrl: 'postgres://u@h/d' });
  });

  test.each<[Record<string, string>, string]>([
    [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL takes'],
    [{ DATABASE_URL: 'nonsense' }, 'DATABASE_URL takes'],
  ])('%j is refused', (variables, sentence) => {
    expect(() => readEnvironment(variables)).toThrow(sentence);
  });
});
