// Storing the changes of tables until they are delivered: which tables store changes, and when the changes are deleted.
import type { PostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { RealtimeServer, openRealtimeEngine, tokenOf } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const config = (table: string, more: object = {}) => ({
  private: false,
  postgres_changes: [{ event: '*', schema: 'public', table, ...more }],
});

let pg: PostgresEngine;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await openRealtimeEngine();
  await pg.exec(`
    create table public.lines (id int primary key, n int, big text);
    create table public.keyless (id int);
    alter table public.keyless replica identity full;
    grant select on public.lines, public.keyless to anon, authenticated;
    alter publication supabase_realtime add table public.lines, public.keyless;
  `);
});
afterAll(() => pg.close());
beforeEach(async () => {
  await pg.exec('delete from public.lines; delete from public.keyless');
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

async function subscribe(table: string, more: object = {}, token?: string) {
  const client = await server.connect();
  await client.join(TOPIC, config(table, more), token);
  expect(await client.next()).toMatchObject(['1', null, TOPIC, 'system', { message: 'Subscribed to PostgreSQL' }]);
  return client;
}
const count = async (table: string) =>
  (await pg.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;
const dataOf = (frame: unknown) => (frame as [unknown, unknown, unknown, unknown, { data: object }])[4].data;

test('a table without subscriptions stores nothing', async () => {
  const client = await subscribe('lines');
  client.send(['1', '2', TOPIC, 'phx_leave', {}]);
  await client.upTo('phx_close');
  await expect.poll(() => count('realtime.subscription')).toBe(0);
  await pg.exec('insert into public.lines values (1, 1)');
  expect(await count('realtime.change')).toBe(0);
});

test('a delivered change is deleted, even when nobody may see it', async () => {
  const client = await subscribe('lines', { filter: 'n=eq.2' });
  await pg.exec('insert into public.lines values (1, 1); insert into public.lines values (2, 2)');
  expect(dataOf(await client.next())).toMatchObject({ record: { id: 2 } });
  expect(await count('realtime.change')).toBe(0);
});

test('a transaction of many rows is delivered completely and in order', async () => {
  const client = await subscribe('lines', { filter: 'n=lt.1000' });
  await pg.exec('insert into public.lines select n, n from generate_series(1, 350) n');
  for (let id = 1; id <= 350; id++) expect(dataOf(await client.next())).toMatchObject({ record: { id } });
  // Matching rows arrive even behind more unmatched rows than one batch holds.
  await pg.exec(`
    insert into public.lines select n, n from generate_series(1001, 1250) n;
    insert into public.lines values (2000, 1);
  `);
  expect(dataOf(await client.next())).toMatchObject({ record: { id: 2000 } });
  expect(await count('realtime.change')).toBe(0);
});

test('the next start deletes subscriptions and changes of a crashed server', async () => {
  await subscribe('lines');
  await server.close();
  await pg.exec(`
    insert into realtime.subscription (subscription_id, entity, action, role, claims, looked_at)
    values (gen_random_uuid(), 'public.lines', '*', 'anon', '{"role": "anon"}', '{}');
    insert into public.lines values (1, 1);
  `);
  server = await RealtimeServer.start(pg);
  await subscribe('keyless');
  expect([await count('realtime.subscription'), await count('realtime.change')]).toEqual([1, 0]);
});

test('changes committed during a gap in the connection are delivered afterwards, and then all clients rejoin', async () => {
  let isCut = false;
  let reportGap = () => {};
  await server.close();
  server = await RealtimeServer.start({
    query: (sql, params) => pg.query(sql, params),
    queryAs: (settings, sql, params) => pg.queryAs(settings, sql, params),
    exec: (sql) => pg.exec(sql),
    transaction: (run) => pg.transaction(run),
    listen: (channel, onNotify) => pg.listen(channel, (payload) => (isCut ? undefined : onNotify(payload))),
    onGap(listener) {
      reportGap = listener;
      return () => {};
    },
    setReadOnly: (isReadOnly) => pg.setReadOnly(isReadOnly),
    learnTypes: () => pg.learnTypes(),
    closed: false,
    close: () => pg.close(),
  });
  const client = await subscribe('lines');
  isCut = true;
  await pg.exec('insert into public.lines values (1, 1)');
  await pg.exec('insert into public.lines values (2, 2)');
  expect(await client.rest()).toEqual([]);
  isCut = false;
  reportGap();
  for (const id of [1, 2]) expect(dataOf(await client.next())).toMatchObject({ record: { id } });
  await client.closed;
});

test('a change above a megabyte arrives without its long values, and with an error', async () => {
  const client = await subscribe('lines');
  await pg.exec(`insert into public.lines values (1, 7, repeat('x', 1100000))`);
  expect(dataOf(await client.next())).toMatchObject({
    record: { id: 1, n: 7 },
    errors: ['Error 413: Payload Too Large'],
  });
});

test('a table without a primary key delivers an error in place of its rows', async () => {
  const client = await subscribe('keyless');
  await pg.exec('insert into public.keyless values (1)');
  expect(dataOf(await client.next())).toMatchObject({ record: {}, errors: ['Error 400: Bad Request, no primary key'] });
});

test('a client that may not read the key gets an error in place of the row', async () => {
  await pg.exec('revoke select on public.lines from authenticated');
  try {
    const client = await subscribe('lines', {}, await tokenOf('alice'));
    await pg.exec('insert into public.lines values (1, 1)');
    expect(dataOf(await client.next())).toMatchObject({ record: {}, errors: ['Error 401: Unauthorized'] });
  } finally {
    await pg.exec('grant select on public.lines to authenticated');
  }
});

test('numbers arrive as Postgres wrote them, beyond the precision of JavaScript', async () => {
  await pg.exec('create table public.big (id bigint primary key); grant select on public.big to anon');
  await pg.exec('alter publication supabase_realtime add table public.big');
  try {
    const texts: string[] = [];
    const ws = new WebSocket(server.address({ apikey: 'sb_publishable_test', vsn: '2.0.0' }));
    ws.addEventListener('message', (event) => texts.push(String(event.data)));
    await new Promise((resolve) => ws.addEventListener('open', resolve));
    ws.send(JSON.stringify(['1', '1', TOPIC, 'phx_join', { config: config('big') }]));
    await expect.poll(() => texts.length).toBe(2);
    await pg.exec('insert into public.big values (9007199254740993)');
    await expect.poll(() => texts.at(-1)).toContain('{"id": 9007199254740993}');
    ws.close();
  } finally {
    await pg.exec('drop table public.big');
  }
});
