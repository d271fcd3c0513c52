// Replay: earlier messages from the database on a private topic, for a client that joins later.
import { describe, expect, test } from 'vitest';
import { userBroadcast } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;

/** Joins and returns the reply and everything up to the end of the replayed messages. */
async function join(replay: unknown, options: { vsn?: '1.0.0' | '2.0.0'; private?: boolean } = {}) {
  const client = await target.connect(undefined, options.vsn);
  const payload = {
    config: { private: options.private ?? true, broadcast: { replay } },
    access_token: await target.tokenOf('alice'),
  };
  client.send(
    options.vsn === '1.0.0'
      ? { topic, event: 'phx_join', payload, ref: '1', join_ref: '1' }
      : ['1', '1', topic, 'phx_join', payload],
  );
  return { client, reply: await client.next() };
}

/** Stored one after the other, each with its own time, so that the order is that of the times. */
async function sendFromDatabase(...numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    await target.sql(`select realtime.send(jsonb_build_object('id', $1::int, 'n', $1::int), 'n', $2)`, [n, room]);
    await target.sql('select pg_sleep(0.002)');
  }
}
async function now(): Promise<number> {
  const [row] = await target.sql<{ ms: number }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return row?.ms ?? 0;
}
const ids = (since: number) =>
  target.sql<{ id: string }>(
    `select id from realtime.messages where topic = $1 and inserted_at >= to_timestamp($2::float8 / 1000)::timestamp
     order by inserted_at`,
    [room, since],
  );
const n = (frame: unknown) => /"n": ?(\d+)/.exec(JSON.stringify(frame).replaceAll('\\"', '"'))?.[1];

describe.runIf(HAS_DATABASE)('replay', () => {
  test('delivers the newest messages since a time, oldest first and marked, right after the reply', async () => {
    await target.grantAll('alice');
    await sendFromDatabase(1);
    const since = await now();
    await sendFromDatabase(2, 3, 4);
    const rows = await ids(since);
    const { client, reply } = await join({ since, limit: 2 });
    expect(reply).toEqual(['1', '1', topic, 'phx_reply', { status: 'ok', response: { postgres_changes: [] } }]);
    expect(await client.rest(topic)).toEqual(
      [3, 4].map((each) => [
        '1',
        null,
        topic,
        'broadcast',
        {
          event: 'n',
          meta: { id: rows[each - 2]?.id, replayed: true },
          payload: { id: each, n: each },
          type: 'broadcast',
        },
      ]),
    );
  });

  test('delivers bytes as bytes', async () => {
    await target.grantAll('alice');
    const since = await now();
    await target.sql(`select realtime.send_binary('\\x000102'::bytea, 'bin', $1)`, [room]);
    const [row] = await ids(since);
    const { client } = await join({ since });
    const meta = JSON.stringify({ id: row?.id, replayed: true });
    const meta2 = JSON.stringify({ replayed: true, id: row?.id });
    const bytes = Uint8Array.of(0, 1, 2);
    expect([userBroadcast(topic, 'bin', bytes, meta), userBroadcast(topic, 'bin', bytes, meta2)]).toContainEqual(
      await client.next(),
    );
  });

  test('delivers JSON and leaves out bytes in protocol 1.0.0', async () => {
    await target.grantAll('alice');
    const since = await now();
    await target.sql(`select realtime.send_binary('\\x000102'::bytea, 'bin', $1)`, [room]);
    await sendFromDatabase(7);
    const { client } = await join({ since }, { vsn: '1.0.0' });
    expect(await client.next()).toMatchObject({
      event: 'broadcast',
      topic,
      payload: { event: 'n', meta: { replayed: true }, payload: { n: 7 }, type: 'broadcast' },
    });
  });

  test('delivers at most twenty-five messages, also by default', async () => {
    await target.grantAll('alice');
    const since = await now();
    await sendFromDatabase(...Array.from({ length: 27 }, (_, at) => at));
    const most = await (await join({ since, limit: 1_000 })).client.rest(topic);
    expect(most.map(n)).toEqual(Array.from({ length: 25 }, (_, at) => String(at + 2)));
    for (const replay of [{ since }, { since, limit: null }]) {
      expect((await (await join(replay)).client.rest(topic)).map(n)).toEqual(most.map(n));
    }
    const some = await (await join({ since, limit: 3 })).client.rest(topic);
    expect(some.map(n)).toEqual(['24', '25', '26']);
  });

  test('leaves out messages of clients, which are not stored', async () => {
    await target.grantAll('alice');
    const since = await now();
    const { client } = await join(undefined);
    client.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: { n: 1 } }]);
    await client.rest(topic);
    const later = await join({ since });
    expect(await later.client.rest(topic)).toEqual([]);
  });

  test.each([
    ['a time that is no number', { since: 'yesterday' }],
    ['a limit that is no number', { since: 0, limit: 'all' }],
    ['no time', { limit: 2 }],
    ['null for the time', { since: null, limit: 2 }],
    ['no parameters', {}],
  ])('with %s is refused', async (_, replay) => {
    await target.grantAll('alice');
    const { reply } = await join(replay);
    expect(reply).toMatchObject([
      '1',
      '1',
      topic,
      'phx_reply',
      { status: 'error', response: { reason: 'UnableToReplayMessages: Replay params are not valid' } },
    ]);
  });
});

test('replay on a public topic is refused', async () => {
  const { reply } = await join({ since: 0 }, { private: false });
  expect(reply).toMatchObject([
    '1',
    '1',
    topic,
    'phx_reply',
    { status: 'error', response: { reason: 'UnableToReplayMessages: Replay is not allowed for public channels' } },
  ]);
});

test('a channel can request a message once messages from the database arrive', async () => {
  const client = await target.connect();
  await client.join(topic, { private: false, broadcast: { replication_ready: true } });
  expect(await client.next()).toEqual([
    '1',
    null,
    topic,
    'system',
    { message: 'Replication connection established', status: 'ok', extension: 'system', channel: room },
  ]);
});
