// PGlite in its thread: time limits that reach a running statement, an end that loses nothing when they do not, and nobody
// held up meanwhile.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type PgliteEngine, openPgliteEngine } from '../../../backend/engine/pglite.ts';
import { withSharedMemory } from '../../../backend/engine/shared-memory.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { databaseImage } from '../../support/database/database-image.ts';

const ENDLESS = 'select count(*) from generate_series(1, 1000000000)';
const LIMITS = { roles: { anon: 300, authenticated: 600 }, other: 600, own: 1_000 };
const TIMED_OUT = { code: '57014', message: 'canceling statement due to statement timeout' };

describe('statements that take too long', () => {
  let engine: PgliteEngine;
  beforeAll(async () => {
    engine = await openPgliteEngine({ dir: null, image: await databaseImage(), limits: LIMITS });
  });
  afterAll(() => engine.close());

  async function elapsed(run: () => Promise<unknown>): Promise<number> {
    const since = performance.now();
    await run();
    return performance.now() - since;
  }

  test.each([
    ['anon', 300],
    ['authenticated', 600],
    ['service_role', 600],
  ])('under %s are cancelled after %i ms', async (role, limit) => {
    const ms = await elapsed(() => expect(engine.queryAs({ role }, ENDLESS)).rejects.toMatchObject(TIMED_OUT));
    expect(ms).toBeGreaterThanOrEqual(limit);
    expect(ms).toBeLessThan(limit + 1_500);
  });

  test.each([
    ['a loop in PL/pgSQL', 'do $$ begin loop end loop; end $$'],
    ['a join of everything', 'select count(*) from pg_class a, pg_class b, pg_class c, pg_class d'],
    ['a recursion', 'with recursive r as (select 1 n union all select n + 1 from r) select max(n) from r'],
  ])('are cancelled whatever they do: %s', async (_, sql) => {
    await expect(engine.query(sql)).rejects.toMatchObject(TIMED_OUT);
    expect((await engine.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('fail the transaction they are in, and only that', async () => {
    await engine.exec('create table kept (n int)');
    const failing = engine.transaction(async (tx) => {
      await tx.query('insert into kept values (1)');
      await tx.set({ role: 'anon' });
      await tx.query(ENDLESS);
    });
    const beside = engine.query('insert into kept values (2)');
    await expect(failing).rejects.toMatchObject(TIMED_OUT);
    await beside;
    expect((await engine.query('select n from kept')).rows).toEqual([{ n: 2 }]);
    await engine.exec('drop table kept');
  });

  test('never take a neighbour with them, however close the end of one is to its limit', async () => {
    // Each statement ends about when it is cancelled; the short ones after it must all succeed.
    for (let round = 0; round < 10; round++) {
      const atTheLimit = engine.queryAs({ role: 'anon' }, 'select pg_sleep(0.3)').catch((error: unknown) => error);
      const after = Array.from({ length: 5 }, () => engine.queryAs({ role: 'anon' }, 'select count(*) from pg_class'));
      await atTheLimit;
      for (const { rows } of await Promise.all(after)) expect(rows).toHaveLength(1);
    }
  });
});

describe('a thread that has to be ended', () => {
  let dir: string;
  let engine: PgliteEngine;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'weft-engine-'));
    engine = await openPgliteEngine({ dir: join(dir, 'postgres'), limits: LIMITS, stubbornMs: 300 });
  });
  afterAll(async () => {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('loses nothing that was acknowledged, tells who waited, and goes on listening', async () => {
    await engine.exec('create table kept (n int)');
    const heard: string[] = [];
    let gaps = 0;
    await engine.listen('news', (payload) => heard.push(payload));
    engine.onGap(() => gaps++);
    for (let n = 1; n <= 50; n++) await engine.query('insert into kept values ($1)', [n]);

    // Sleeping is the one thing that Postgres' flag does not reach in WebAssembly.
    const asleep = engine.query('select pg_sleep(60)');
    const behind = engine.query('insert into kept values (99)');
    const inside = engine.transaction(async (tx) => {
      await tx.query('insert into kept values (100)');
    });
    await expect(asleep).rejects.toMatchObject(TIMED_OUT);
    await expect(behind).rejects.toMatchObject({ code: '57P01' });
    await expect(inside).rejects.toMatchObject({ code: '57P01' });

    await expect.poll(() => gaps, { timeout: 20_000 }).toBe(1);
    expect((await engine.query('select count(*) as n, max(n) as last from kept')).rows).toEqual([{ n: 50, last: 50 }]);
    await engine.query(`select pg_notify('news', 'after')`);
    await expect.poll(() => heard).toEqual(['after']);
  });
});

describe('while a statement runs', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend();
  });
  afterAll(() => backend.close());

  test('heartbeats are answered within 250 ms', async () => {
    const query = new URLSearchParams({ apikey: backend.server.anonKey, vsn: '2.0.0' });
    const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`);
    const answered = new Map<string, () => void>();
    socket.on('message', (data) => answered.get(JSON.parse(String(data))[1])?.());
    await new Promise((resolve) => socket.once('open', resolve));

    const state = { isRunning: true };
    const slow = backend.pg
      .queryAs({ role: 'anon' }, ENDLESS)
      .catch((error: unknown) => error)
      .finally(() => (state.isRunning = false));
    const took: number[] = [];
    for (let ref = 1; state.isRunning; ref++) {
      const since = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      answered.set(String(ref), resolve);
      socket.send(JSON.stringify([null, String(ref), 'phoenix', 'heartbeat', {}]));
      await promise;
      took.push(performance.now() - since);
      await delay(20);
    }
    socket.close();
    expect(await slow).toMatchObject(TIMED_OUT);
    // The limit of the hosted service, 3 s, is the test's length.
    expect(took.length).toBeGreaterThan(20);
    expect(Math.max(...took)).toBeLessThan(250);
  });

  test('others wait for their turn and get it when its time is over', async () => {
    await backend.pg.exec(`create function public.endless() returns bigint language sql as $$ ${ENDLESS} $$`);
    await backend.server.database.connection.clearSchemaCache();
    const client = backend.anonClient();
    const slow = client.rpc('endless');
    const other = backend.serviceClient().from('workspaces').select('id');
    expect(await slow).toMatchObject({ status: 500, error: { code: '57014' } });
    expect((await other).error).toBeNull();
  });
});

test('a module without a memory of somebody else’s is left as it is', () => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  expect(withSharedMemory(empty)).toEqual(empty);
});
