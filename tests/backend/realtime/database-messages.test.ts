// Messages from the database: their delivery, their ids, their retention, and the SQL functions that send them.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RawClient } from './support/raw-client.ts';
import {
  type RealtimeEngine,
  RealtimeServer,
  openRealtimeEngine,
  fullGrants,
  tokenOf,
} from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';

let pg: RealtimeEngine;
let server: RealtimeServer;
let alice: string;
beforeAll(async () => {
  pg = await openRealtimeEngine();
  alice = await tokenOf('alice');
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
  await server.grant(...fullGrants('room1', 'alice'));
});
afterEach(() => server.close());

async function join(config: object = { private: true }): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(TOPIC, config, alice)).toMatchObject({ status: 'ok' });
  return client;
}
async function messageIds(): Promise<string[]> {
  const { rows } = await pg.query<{ id: string }>('select id from realtime.messages order by inserted_at, ctid');
  return rows.map(({ id }) => id);
}

describe('realtime.send', () => {
  test('warns and continues when the message cannot be stored', async () => {
    const notices: string[] = [];
    const client = new Client({ connectionString: pg.url });
    client.on('notice', ({ severity, message }) => notices.push(`${severity} ${message}`));
    await client.connect();
    await client.query(`select realtime.send('{}', 'e', null); select realtime.send('3', 'e', 'room1')`);
    await client.end();
    expect(notices).toEqual([
      expect.stringMatching(/^WARNING WarnSendingBroadcastMessage: null value in column "topic"/),
      'WARNING WarnSendingBroadcastMessage: cannot set path in scalar',
    ]);
  });

  test('sets realtime.topic for the rest of the transaction', async () => {
    const topics = await pg.transaction(async (tx) => {
      const topic = async () => (await tx.query<{ topic: string | null }>('select realtime.topic()')).rows[0]?.topic;
      const before = await topic();
      await tx.query(`select realtime.send('{}', 'e', 'room1')`);
      return [before, await topic()];
    });
    expect(topics).toEqual([null, 'room1']);
  });
});

describe('realtime.send_binary', () => {
  test('above the size limit is dropped and logged', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { maxPayloadBytes: 1_000 });
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await join();
    await pg.exec(`select realtime.send_binary(decode(repeat('00', 1000), 'hex'), 'bin', 'room1')`);
    await pg.exec(`select realtime.send_binary('\\x00', 'bin', 'room1')`);
    expect(await client.next()).toMatchObject({ length: expect.any(Number) });
    expect(server.logged).toEqual([expect.stringMatching(/^message .* is too large$/)]);
  });
});

test('a row without an event or a payload is delivered to no one', async () => {
  const client = await join();
  await pg.exec(`
    insert into realtime.messages (topic, extension, private, payload) values ('room1', 'broadcast', true, '{}');
    insert into realtime.messages (topic, extension, private, event) values ('room1', 'broadcast', true, 'e');
  `);
  expect(await client.rest()).toEqual([]);
});

test('a malformed announcement is skipped and logged', async () => {
  const client = await join();
  await pg.exec(`
    select pg_notify('realtime_messages', 'garbage');
    select pg_notify('realtime_messages', '{"id": "no uuid"}');
    select pg_notify('realtime_messages', '{"id": "00000000-0000-4000-8000-000000000000"}');
    select realtime.send('{}', 'next', 'room1');
  `);
  expect(String(await client.next())).toContain('next');
  expect(server.logged).toEqual(Array.from({ length: 2 }, () => 'an announcement of the database was malformed'));
});

test('a message sent just before the server starts is not delivered to its clients', async () => {
  await pg.exec(`select realtime.send('{}', 'early', 'room1')`);
  const client = await join();
  expect(await client.rest()).toEqual([]);
});

describe('old messages', () => {
  const remaining = async () =>
    (await pg.query<{ event: string }>('select event from realtime.messages')).rows.map(({ event }) => event);

  test('are deleted at the start and then regularly', async () => {
    await server.close();
    const store = (event: string, age: string) =>
      pg.query(
        `insert into realtime.messages (topic, extension, event, inserted_at)
         values ('room1', 'broadcast', $1, localtimestamp - $2::interval)`,
        [event, age],
      );
    await store('old', '73 hours');
    await store('young', '71 hours');
    server = await RealtimeServer.start(pg, { retentionSweepMs: 20 });
    await expect.poll(remaining).toEqual(['young']);
    await store('older', '4 days');
    await expect.poll(remaining).toEqual(['young']);
  });
});

describe('the schema', () => {
  test('can be created again, since its script runs at each start', async () => {
    const { readFile } = await import('node:fs/promises');
    const sql = await readFile(new URL('../../../backend/realtime/bootstrap.sql', import.meta.url), 'utf8');
    await pg.exec(`select realtime.send('{"id": 1}', 'kept', 'room1')`);
    await pg.exec(sql);
    expect(await messageIds()).toHaveLength(1);
  });

  test('has the columns of Supabase Realtime, in the same order', async () => {
    const { rows } = await pg.query(`
      select string_agg(column_name || ' ' || data_type, ', ' order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'realtime' and table_name = 'messages'
    `);
    expect(rows).toEqual([
      {
        columns:
          'topic text, extension text, payload jsonb, event text, private boolean, ' +
          'updated_at timestamp without time zone, inserted_at timestamp without time zone, id uuid, ' +
          'binary_payload bytea',
      },
    ]);
  });

  test.each(['anon', 'authenticated'])('lets %s call only the public functions', async (role) => {
    const { rows } = await pg.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'realtime'::regnamespace
       and has_function_privilege($1, oid, 'execute') order by 1`,
      [role],
    );
    expect(rows.map(({ name }) => name)).toEqual(['send', 'send_binary', 'topic']);
  });
});
