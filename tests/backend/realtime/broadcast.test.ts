// Broadcasts between clients, frame by frame.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast, userBroadcastPush } from './support/raw-client.ts';
import { RealtimeServer, createDatabase, fullGrants, tokenOf } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const PUBLIC = { private: false };
const PRIVATE = { private: true };
const BYTES = Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff);

let pg: PGlite;
let server: RealtimeServer;
let alice: string;
let bob: string;
beforeAll(async () => {
  pg = await createDatabase();
  alice = await tokenOf('alice');
  bob = await tokenOf('bob');
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

async function joined(config: object, token?: string, topic = TOPIC): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(topic, config, token)).toMatchObject({ status: 'ok' });
  return client;
}
const withOptions = (broadcast: object) => ({ ...PUBLIC, broadcast });
const hi = (n: number) => ['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: { n } }];

describe('a broadcast in text', () => {
  test('reaches the others as text, without a reply to its sender', async () => {
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    sender.send(hi(1));
    expect(await receiver.next()).toEqual([
      null,
      null,
      TOPIC,
      'broadcast',
      { event: 'hi', payload: { n: 1 }, type: 'broadcast' },
    ]);
    expect(await sender.rest()).toEqual([]);
  });

  test('reaches protocol 1.0.0 as an object', async () => {
    const receiver = await server.connect(undefined, '1.0.0');
    receiver.send({ topic: TOPIC, event: 'phx_join', payload: { config: PUBLIC }, ref: '1' });
    await receiver.next();
    const sender = await joined(PUBLIC);
    sender.send(hi(1));
    expect(await receiver.next()).toEqual({
      ref: null,
      event: 'broadcast',
      topic: TOPIC,
      payload: { event: 'hi', payload: { n: 1 }, type: 'broadcast' },
    });
  });

  test('cannot carry the mark of a message from the database', async () => {
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    const message = { type: 'broadcast', event: 'rows', payload: { n: 1 } };
    sender.send(['1', '2', TOPIC, 'broadcast', { ...message, meta: { id: 'forged' } }]);
    expect(await receiver.next()).toEqual([null, null, TOPIC, 'broadcast', message]);
  });

  test('whose payload is no object is ignored', async () => {
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    sender.send(['1', '2', TOPIC, 'broadcast', 'hi']);
    await sender.rest();
    expect(await receiver.rest()).toEqual([]);
  });
});

describe('a broadcast in a binary frame', () => {
  test('of bytes reaches the others as frame of kind 4', async () => {
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', BYTES));
    expect(await receiver.next()).toEqual(userBroadcast(TOPIC, 'bin', BYTES));
    expect(await sender.rest()).toEqual([]);
  });

  test('of JSON reaches the others as frame of kind 4, and protocol 1.0.0 as text', async () => {
    const old = await server.connect(undefined, '1.0.0');
    old.send({ topic: TOPIC, event: 'phx_join', payload: { config: PUBLIC }, ref: '1' });
    await old.next();
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    sender.send(userBroadcastPush('1', '3', TOPIC, 'hi', { n: 1 }));
    expect(await receiver.next()).toEqual(userBroadcast(TOPIC, 'hi', '{"n":1}'));
    expect(await old.next()).toMatchObject({
      event: 'broadcast',
      payload: { event: 'hi', payload: { n: 1 }, type: 'broadcast' },
    });
  });

  test('of bytes does not reach protocol 1.0.0', async () => {
    const old = await server.connect(undefined, '1.0.0');
    old.send({ topic: TOPIC, event: 'phx_join', payload: { config: PUBLIC }, ref: '1' });
    await old.next();
    const sender = await joined(PUBLIC);
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', BYTES));
    sender.send(hi(2));
    expect(await old.next()).toMatchObject({ payload: { payload: { n: 2 } } });
  });

  test('loses its metadata: a client cannot look like the database', async () => {
    const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
    sender.send(userBroadcastPush('1', '3', TOPIC, 'rows', BYTES, '{"id":"forged"}'));
    expect(await receiver.next()).toEqual(userBroadcast(TOPIC, 'rows', BYTES));
  });

  test('may be empty, with a topic and an event in any script', async () => {
    const topic = 'realtime:räume/部屋';
    const [sender, receiver] = [await joined(PUBLIC, undefined, topic), await joined(PUBLIC, undefined, topic)];
    sender.send(userBroadcastPush('1', '3', topic, 'grüße', new Uint8Array()));
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'grüße', new Uint8Array()));
  });

  test('does not reach a topic above 255 bytes, which text does', async () => {
    const topic = `realtime:${'x'.repeat(250)}`;
    const [sender, receiver] = [await joined(PUBLIC, undefined, topic), await joined(PUBLIC, undefined, topic)];
    await pg.query(`select realtime.send('{}', 'hi', $1, false)`, [topic.slice('realtime:'.length)]);
    sender.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await receiver.next()).toMatchObject([null, null, topic, 'broadcast', {}]);
  });
});

test('eighty broadcasts in one go arrive complete and in order', async () => {
  const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
  for (let n = 0; n < 80; n++) sender.send(userBroadcastPush('1', `${n}`, TOPIC, 'n', Uint8Array.of(n)));
  for (let n = 0; n < 80; n++) expect(await receiver.next()).toEqual(userBroadcast(TOPIC, 'n', Uint8Array.of(n)));
});

describe('with ack', () => {
  test('the sender is answered', async () => {
    const sender = await joined(withOptions({ ack: true }));
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', BYTES));
    expect(await sender.next()).toEqual(['1', '3', TOPIC, 'phx_reply', { status: 'ok', response: {} }]);
  });

  test('and self the answer follows the own copy', async () => {
    const sender = await joined(withOptions({ ack: true, self: true }));
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', BYTES));
    expect(await sender.rest()).toEqual([
      userBroadcast(TOPIC, 'bin', BYTES),
      ['1', '3', TOPIC, 'phx_reply', { status: 'ok', response: {} }],
    ]);
  });

  test('a payload above the limit is refused with a string, and the channel goes on', async () => {
    const sender = await joined(withOptions({ ack: true }));
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', new Uint8Array(3_000_500)));
    sender.send(userBroadcastPush('1', '4', TOPIC, 'bin', new Uint8Array(3_000_400)));
    expect(await sender.rest()).toEqual([
      ['1', '3', TOPIC, 'phx_reply', { status: 'error', response: 'payload_size_exceeded' }],
      ['1', '4', TOPIC, 'phx_reply', { status: 'ok', response: {} }],
    ]);
  });
});

test('a payload above the limit is dropped in silence without ack', async () => {
  const [sender, receiver] = [await joined(PUBLIC), await joined(PUBLIC)];
  sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', new Uint8Array(3_000_500)));
  expect(await sender.rest()).toEqual([]);
  expect(await receiver.rest()).toEqual([]);
});

test('a frame above five million bytes drops the socket', async () => {
  const sender = await joined(PUBLIC);
  sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', new Uint8Array(5_000_000)));
  expect(await sender.closed).toBe(1006);
});

describe('a private topic', () => {
  test('has nothing in common with the public one of the same name', async () => {
    await server.grant(...fullGrants('room1', 'alice', 'bob'));
    const [inside, outside] = [await joined(PRIVATE, bob), await joined(PUBLIC)];
    const sender = await joined(PRIVATE, alice);
    sender.send(hi(1));
    outside.send(hi(2));
    expect(await inside.rest()).toEqual([
      [null, null, TOPIC, 'broadcast', expect.objectContaining({ payload: { n: 1 } })],
    ]);
    expect(await outside.rest()).toEqual([]);
  });

  test('swallows what is sent without the right, even where an answer was asked for', async () => {
    await server.grant(
      { topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' },
      ...fullGrants('room1', 'bob'),
    );
    const receiver = await joined(PRIVATE, bob);
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    sender.send(userBroadcastPush('1', '3', TOPIC, 'bin', BYTES));
    expect(await sender.rest(TOPIC)).toEqual([]);
    expect(await receiver.rest()).toEqual([]);
  });

  test('asks for the right to send at the first send', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' });
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'write' });
    sender.send(hi(1));
    expect(await sender.next()).toMatchObject(['1', '2', TOPIC, 'phx_reply', { status: 'ok' }]);
  });

  test('remembers the right to send and to read until another token comes', async () => {
    await server.grant(...fullGrants('room1', 'alice', 'bob'));
    const receiver = await joined(PRIVATE, bob);
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    await sender.next();
    await receiver.next();
    await pg.exec('delete from public.grants');
    sender.send(hi(2));
    expect(await sender.next()).toMatchObject(['1', '2', TOPIC, 'phx_reply', { status: 'ok' }]);
    expect(await receiver.next()).toMatchObject([null, null, TOPIC, 'broadcast', { payload: { n: 2 } }]);
  });

  test('remembers that sending was refused', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' });
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    await sender.rest(TOPIC);
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'write' });
    sender.send(hi(2));
    expect(await sender.rest(TOPIC)).toEqual([]);
  });

  test('asks again after a rejoin', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    await pg.exec('delete from public.grants');
    expect(await client.join(TOPIC, PRIVATE, alice, '2')).toMatchObject({ status: 'error' });
  });

  test('withholds broadcasts from somebody who may only read presence', async () => {
    await server.grant(
      { topic: 'room1', who: 'bob', extension: 'presence', mode: 'read' },
      ...fullGrants('room1', 'alice'),
    );
    const receiver = await joined({ ...PRIVATE, presence: { key: 'b', enabled: true } }, bob);
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    await sender.next();
    expect(await receiver.rest()).toEqual([['1', null, TOPIC, 'presence_state', {}]]);
  });

  test('leaves no row behind by asking', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const sender = await joined({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    await sender.next();
    const { rows } = await pg.query('select count(*)::int as n from realtime.messages');
    expect(rows).toEqual([{ n: 0 }]);
  });
});
