// Messages from the database: which clients receive them, in which order, and with the id of their row.
import { describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const BYTES = Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff);

async function join(config: object = { private: true }): Promise<RawClient> {
  await target.grantAll('alice');
  const client = await target.connect();
  expect(await client.join(topic, config, await target.tokenOf('alice'))).toMatchObject({ status: 'ok' });
  return client;
}
const send = (payload: string, event = 'e', isPrivate = true) =>
  target.sql('select realtime.send($1::text::jsonb, $2, $3, $4::boolean)', [payload, event, room, isPrivate]);
const sendBytes = (bytes: Uint8Array) =>
  target.sql(`select realtime.send_binary(decode($1, 'base64'), 'bin', $2)`, [
    Buffer.from(bytes).toString('base64'),
    room,
  ]);
/** The id of the row that was stored last on the topic. */
async function lastId(): Promise<string> {
  const [row] = await target.sql<{ id: string }>(
    'select id from realtime.messages where topic = $1 order by inserted_at desc limit 1',
    [room],
  );
  return row?.id ?? '';
}
const meta = (id: string) => JSON.stringify({ id });

/** Parses a frame of kind 4 with JSON. */
function parsed(frame: unknown): { event: string; meta: unknown; payload: unknown } {
  if (!Buffer.isBuffer(frame)) throw new Error('no binary frame');
  const [kind, topicLength = 0, eventLength = 0, metaLength = 0, encoding] = frame;
  expect([kind, encoding]).toEqual([4, 1]);
  const eventAt = 5 + topicLength;
  const metaAt = eventAt + eventLength;
  return {
    event: frame.toString('utf8', eventAt, metaAt),
    meta: JSON.parse(frame.toString('utf8', metaAt, metaAt + metaLength)),
    payload: JSON.parse(frame.toString('utf8', metaAt + metaLength)),
  };
}

describe.runIf(HAS_DATABASE)('realtime.send', () => {
  test('reaches a private topic by default, with the id of its row in the payload and in meta', async () => {
    const client = await join();
    await target.sql(`select realtime.send('{"hello":"db"}', 'from_db', $1)`, [room]);
    const id = await lastId();
    expect(parsed(await client.next())).toEqual({ event: 'from_db', meta: { id }, payload: { id, hello: 'db' } });
  });

  test('keeps the id in the payload', async () => {
    const client = await join();
    await send('{"id": 7}');
    expect(parsed(await client.next())).toEqual({ event: 'e', meta: { id: await lastId() }, payload: { id: 7 } });
  });

  test('reaches only the public topic with private := false', async () => {
    const [inside, outside] = [await join(), await target.connect()];
    await outside.join(topic, { private: false });
    await send('{"id": 7}', 'e', false);
    expect(parsed(await outside.next())).toMatchObject({ payload: { id: 7 } });
    expect(await inside.rest(topic)).toEqual([]);
  });

  test('of a long message arrives complete', async () => {
    const client = await join();
    const text = 'ß'.repeat(100_000);
    await send(JSON.stringify({ id: 7, text }));
    expect(parsed(await client.next()).payload).toEqual({ id: 7, text });
  });

  test('arrives after the commit, in order, never after a rollback', async () => {
    const client = await join();
    await target.exec(`
      do $$ begin
        begin
          perform realtime.send('{"id": 0}', 'undone', '${room}');
          raise exception 'undone';
        exception when others then null;
        end;
        for n in 1..20 loop
          perform realtime.send(jsonb_build_object('id', n, 'x', repeat('x', (n % 3) * 6000)), 'n', '${room}');
        end loop;
      end $$
    `);
    for (let n = 1; n <= 20; n++) expect(parsed(await client.next())).toMatchObject({ event: 'n', payload: { id: n } });
  });

  test('runs as its caller: without a policy it sends nothing and does not fail', async () => {
    const client = await join();
    await target.exec(`
      do $$ begin
        perform set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{"sub":"alice"}', true);
        perform realtime.send('{"id": 1}', 'refused', '${room}-of-others');
        perform realtime.send('{"id": 2}', 'allowed', '${room}');
      end $$
    `);
    expect(parsed(await client.next())).toMatchObject({ event: 'allowed' });
  });
});

describe.runIf(HAS_DATABASE)('realtime.send_binary', () => {
  test('arrives as bytes with the id in meta', async () => {
    const client = await join();
    await sendBytes(BYTES);
    expect(await client.next()).toEqual(userBroadcast(topic, 'bin', BYTES, meta(await lastId())));
  });

  test.each([0, 1, 5_900, 8_000, 300_000])('of %i bytes arrives complete', async (size) => {
    const client = await join();
    const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
    await sendBytes(bytes);
    expect(await client.next()).toEqual(userBroadcast(topic, 'bin', bytes, meta(await lastId())));
  });
});

test.runIf(HAS_DATABASE)('a row inserted directly is delivered unchanged', async () => {
  const client = await join();
  await target.sql(
    `insert into realtime.messages (topic, extension, event, private, payload) values ($1, 'broadcast', 'e', true, '{"a": 1}')`,
    [room],
  );
  expect(parsed(await client.next())).toEqual({ event: 'e', meta: { id: await lastId() }, payload: { a: 1 } });
});
