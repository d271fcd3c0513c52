// Messages from the database: what reaches whom, when, and with which mark. And the functions that send them.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast } from './support/raw-client.ts';
import { RealtimeServer, createDatabase, fullGrants, tokenOf } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';

let pg: PGlite;
let server: RealtimeServer;
let alice: string;
beforeAll(async () => {
  pg = await createDatabase();
  alice = await tokenOf('alice');
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
  await server.grant(...fullGrants('room1', 'alice'));
});
afterEach(() => server.close());

async function member(config: object = { private: true }): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(TOPIC, config, alice)).toMatchObject({ status: 'ok' });
  return client;
}
async function ids(): Promise<string[]> {
  const { rows } = await pg.query<{ id: string }>('select id from realtime.messages order by inserted_at, ctid');
  return rows.map(({ id }) => id);
}
const meta = (id: string | undefined) => JSON.stringify({ id });

describe('realtime.send', () => {
  test('reaches a private topic by default, with the id in the payload and as mark', async () => {
    const client = await member();
    await pg.exec(`select realtime.send('{"hello":"db"}', 'from_db', 'room1')`);
    const [id] = await ids();
    const text = JSON.stringify({ id, hello: 'db' }).replaceAll(/([:,])/g, '$1 ');
    expect(await client.next()).toEqual(userBroadcast(TOPIC, 'from_db', text, meta(id)));
  });

  test('keeps an id of the payload', async () => {
    const client = await member();
    await pg.exec(`select realtime.send('{"id": 7}', 'from_db', 'room1')`);
    expect(await client.next()).toEqual(userBroadcast(TOPIC, 'from_db', '{"id": 7}', meta((await ids())[0])));
  });

  test('reaches only the public topic with private := false', async () => {
    const [inside, outside] = [await member(), await member({ private: false })];
    await pg.exec(`select realtime.send('{"id": 7}', 'e', 'room1', false)`);
    expect(await outside.next()).toBeInstanceOf(Buffer);
    expect(await inside.rest()).toEqual([]);
  });

  test('reaches protocol 1.0.0 as text', async () => {
    const client = await server.connect(undefined, '1.0.0');
    client.send({ topic: TOPIC, event: 'phx_join', payload: { config: {} }, ref: '1' });
    await client.next();
    await pg.exec(`select realtime.send('{"id": 7}', 'e', 'room1', false)`);
    expect(await client.next()).toEqual({
      ref: null,
      event: 'broadcast',
      topic: TOPIC,
      payload: { event: 'e', meta: { id: (await ids())[0] }, payload: { id: 7 }, type: 'broadcast' },
    });
  });

  test('of a long message arrives whole', async () => {
    const client = await member();
    const text = 'ß'.repeat(100_000);
    await pg.query(`select realtime.send(jsonb_build_object('id', 7, 'text', $1::text), 'e', 'room1')`, [text]);
    const expected = `{"id": 7, "text": "${text}"}`;
    expect(await client.next()).toEqual(userBroadcast(TOPIC, 'e', expected, meta((await ids())[0])));
  });

  test('keeps the order of long and short messages', async () => {
    const client = await member();
    await pg.transaction(async (tx) => {
      for (let n = 0; n < 30; n++) {
        const size = [1, 3_000, 20_000][n % 3];
        await tx.query(`select realtime.send(jsonb_build_object('id', $1::int, 'x', repeat('x', $2)), 'e', 'room1')`, [
          n,
          size,
        ]);
      }
    });
    const seen: unknown[] = [];
    for (let n = 0; n < 30; n++) seen.push(/"id": (\d+)/.exec(String(await client.next()))?.[1]);
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => String(n)));
  });

  test('arrives after the commit, never after a rollback', async () => {
    const client = await member();
    await pg.transaction(async (tx) => {
      await tx.exec(`select realtime.send('{"id": 1}', 'undone', 'room1')`);
      await tx.rollback();
    });
    await pg.transaction(async (tx) => {
      await tx.exec(`select realtime.send('{"id": 2}', 'done', 'room1')`);
      expect(await client.rest()).toEqual([]);
    });
    expect(String(await client.next())).toContain('done');
  });

  test('warns and goes on when the message cannot be stored', async () => {
    const notices: string[] = [];
    await pg.exec(`select realtime.send('{}', 'e', null); select realtime.send('3', 'e', 'room1')`, {
      onNotice: (notice) => notices.push(`${notice.severity} ${notice.message}`),
    });
    expect(notices).toEqual([
      expect.stringMatching(/^WARNING WarnSendingBroadcastMessage: null value in column "topic"/),
      'WARNING WarnSendingBroadcastMessage: cannot set path in scalar',
    ]);
  });

  test('runs as its caller: without a policy nothing is sent', async () => {
    const client = await member();
    await pg.transaction(async (tx) => {
      await tx.exec(`
        set local role authenticated;
        set local request.jwt.claims = '{"sub": "alice"}';
        select realtime.send('{"id": 1}', 'refused', 'room2');
        select realtime.send('{"id": 2}', 'allowed', 'room1');
      `);
    });
    expect(String(await client.next())).toContain('allowed');
    expect(await ids()).toHaveLength(1);
  });

  test('sets realtime.topic for the rest of the transaction', async () => {
    const answers = await pg.transaction((tx) =>
      tx.exec(`select realtime.topic(); select realtime.send('{}', 'e', 'room1'); select realtime.topic()`),
    );
    expect(answers.map(({ rows }) => rows[0])).toEqual([{ topic: null }, { send: '' }, { topic: 'room1' }]);
  });
});

describe('realtime.send_binary', () => {
  test('arrives as bytes with the id as mark', async () => {
    const client = await member();
    await pg.exec(`select realtime.send_binary('\\x000102fdfeff', 'bin', 'room1')`);
    const bytes = Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff);
    expect(await client.next()).toEqual(userBroadcast(TOPIC, 'bin', bytes, meta((await ids())[0])));
  });

  test.each([0, 1, 5_800, 5_900, 6_000, 7_000, 8_000, 300_000])('of %i bytes arrives whole', async (size) => {
    const client = await member();
    const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
    await pg.query(`select realtime.send_binary(decode($1, 'base64'), 'bin', 'room1')`, [
      Buffer.from(bytes).toString('base64'),
    ]);
    expect(await client.next()).toEqual(userBroadcast(TOPIC, 'bin', bytes, meta((await ids())[0])));
  });

  test('does not reach protocol 1.0.0', async () => {
    const client = await server.connect(undefined, '1.0.0');
    client.send({ topic: TOPIC, event: 'phx_join', payload: { config: {} }, ref: '1' });
    await client.next();
    await pg.exec(`
      select realtime.send_binary('\\x00', 'bin', 'room1', false);
      select realtime.send('{"id": 7}', 'text', 'room1', false);
    `);
    expect(await client.next()).toMatchObject({ payload: { event: 'text' } });
  });

  test('above the size limit is dropped and said in the log', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { maxPayloadBytes: 1_000 });
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await member();
    await pg.exec(`select realtime.send_binary(decode(repeat('00', 1000), 'hex'), 'bin', 'room1')`);
    await pg.exec(`select realtime.send_binary('\\x00', 'bin', 'room1')`);
    expect(await client.next()).toMatchObject({ length: expect.any(Number) });
    expect(server.logged).toEqual([expect.stringMatching(/^message .* is too large$/)]);
  });
});

test('broadcast_changes tells a private topic what happened to a row', async () => {
  await pg.exec(`
    create table public.notes (id int, text text);
    create function public.tell() returns trigger language plpgsql as $$
    begin
      perform realtime.broadcast_changes('room1', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell after insert or update or delete on public.notes for each row execute function public.tell();
  `);
  try {
    const client = await member();
    await pg.exec(`insert into notes values (1, 'a'); update notes set text = 'b'; delete from notes`);
    const seen: unknown[] = [];
    for (const id of await ids()) {
      const frame = String(await client.next());
      const event = /INSERT|UPDATE|DELETE/.exec(frame)?.[0];
      seen.push([event, JSON.parse(frame.slice(frame.indexOf(meta(id)) + meta(id).length))]);
    }
    const common = { id: expect.any(String), table: 'notes', schema: 'public' };
    expect(seen).toEqual([
      ['INSERT', { ...common, operation: 'INSERT', record: { id: 1, text: 'a' }, old_record: null }],
      ['UPDATE', { ...common, operation: 'UPDATE', record: { id: 1, text: 'b' }, old_record: { id: 1, text: 'a' } }],
      ['DELETE', { ...common, operation: 'DELETE', record: null, old_record: { id: 1, text: 'b' } }],
    ]);
  } finally {
    await pg.exec('drop table public.notes; drop function public.tell()');
  }
});

test('a row inserted by hand is delivered as it is', async () => {
  const client = await member();
  await pg.exec(`
    insert into realtime.messages (topic, extension, event, private, payload)
    values ('room1', 'broadcast', 'e', true, '{"a": 1}')
  `);
  expect(await client.next()).toEqual(userBroadcast(TOPIC, 'e', '{"a": 1}', meta((await ids())[0])));
});

test('a row without an event or a payload is delivered to nobody', async () => {
  const client = await member();
  await pg.exec(`
    insert into realtime.messages (topic, extension, private, payload) values ('room1', 'broadcast', true, '{}');
    insert into realtime.messages (topic, extension, private, event) values ('room1', 'broadcast', true, 'e');
  `);
  expect(await client.rest()).toEqual([]);
});

test('an announcement that is malformed is skipped and said in the log', async () => {
  const client = await member();
  await pg.exec(`
    select pg_notify('realtime_messages', 'garbage');
    select pg_notify('realtime_messages', '{"id": "no uuid"}');
    select pg_notify('realtime_messages', '{"id": "00000000-0000-4000-8000-000000000000"}');
    select realtime.send('{}', 'next', 'room1');
  `);
  expect(String(await client.next())).toContain('next');
  expect(server.logged).toEqual(Array.from({ length: 2 }, () => 'an announcement of the database was malformed'));
});

test('a message of the moment before a server starts is not delivered to its clients', async () => {
  await pg.exec(`select realtime.send('{}', 'early', 'room1')`);
  const client = await member();
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
  test('is made again without harm: it runs at each start', async () => {
    const { readFile } = await import('node:fs/promises');
    const sql = await readFile(new URL('../../../backend/realtime/bootstrap.sql', import.meta.url), 'utf8');
    await pg.exec(`select realtime.send('{"id": 1}', 'kept', 'room1')`);
    await pg.exec(sql);
    expect(await ids()).toHaveLength(1);
  });

  test('has the columns of the original, in their order', async () => {
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

  test.each(['anon', 'authenticated'])('lets %s call nothing but the public functions', async (role) => {
    const { rows } = await pg.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'realtime'::regnamespace
       and has_function_privilege($1, oid, 'execute') order by 1`,
      [role],
    );
    expect(rows.map(({ name }) => name)).toEqual(['broadcast_changes', 'send', 'send_binary', 'topic']);
  });
});
