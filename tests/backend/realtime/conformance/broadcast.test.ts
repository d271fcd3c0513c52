// Broadcasts between clients, frame by frame.
import { describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast, userBroadcastPush } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const PUBLIC = { private: false };
const PRIVATE = { private: true };
const BYTES = Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff);

async function join(config: object = PUBLIC, who?: string, on = topic): Promise<RawClient> {
  const client = await target.connect();
  const token = who === undefined ? undefined : await target.tokenOf(who);
  expect(await client.join(on, config, token)).toMatchObject({ status: 'ok' });
  return client;
}
const withOptions = (broadcast: object) => ({ ...PUBLIC, broadcast });
const message = (n: number) => ({ type: 'broadcast', event: 'hi', payload: { n } });
const hi = (n: number) => ['1', '2', topic, 'broadcast', message(n)];
const received = (n: number) => [null, null, topic, 'broadcast', message(n)];
const reply = (ref: string, status: 'ok' | 'error', response: unknown = {}) => [
  '1',
  ref,
  topic,
  'phx_reply',
  { status, response },
];

describe('a broadcast in text', () => {
  test('reaches the others as text, without a reply to its sender', async () => {
    const [sender, receiver] = [await join(), await join()];
    sender.send(hi(1));
    expect(await receiver.next()).toEqual(received(1));
    expect(await sender.rest(topic)).toEqual([]);
  });
});

describe('a broadcast in a binary frame', () => {
  test('of bytes reaches the others as a frame of kind 4', async () => {
    const [sender, receiver] = [await join(), await join()];
    sender.send(userBroadcastPush('1', '3', topic, 'bin', BYTES));
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'bin', BYTES));
    expect(await sender.rest(topic)).toEqual([]);
  });

  test('of JSON reaches the others as a frame of kind 4', async () => {
    const [sender, receiver] = [await join(), await join()];
    sender.send(userBroadcastPush('1', '3', topic, 'hi', { n: 1 }));
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'hi', '{"n":1}'));
  });

  test('carries no metadata of the client', async () => {
    const [sender, receiver] = [await join(), await join()];
    sender.send(userBroadcastPush('1', '3', topic, 'bin', BYTES, '{"id":"forged"}'));
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'bin', BYTES));
  });

  test('may be empty, with a topic and an event in any script', async () => {
    const other = `${topic}-räume/部屋`;
    const [sender, receiver] = [await join(PUBLIC, undefined, other), await join(PUBLIC, undefined, other)];
    sender.send(userBroadcastPush('1', '3', other, 'grüße', new Uint8Array()));
    expect(await receiver.next()).toEqual(userBroadcast(other, 'grüße', new Uint8Array()));
  });
});

test('a topic above 255 bytes can be joined and accepts text', async () => {
  const long = `${topic}-${'x'.repeat(250)}`;
  const [sender, receiver] = [await join(PUBLIC, undefined, long), await join(PUBLIC, undefined, long)];
  sender.send(['1', '2', long, 'broadcast', message(1)]);
  expect(await receiver.next()).toEqual([null, null, long, 'broadcast', message(1)]);
});

test('eighty broadcasts in one go arrive complete and in order', async () => {
  const [sender, receiver] = [await join(), await join()];
  for (let n = 0; n < 80; n++) sender.send(userBroadcastPush('1', `${n}`, topic, 'n', Uint8Array.of(n)));
  for (let n = 0; n < 80; n++) expect(await receiver.next()).toEqual(userBroadcast(topic, 'n', Uint8Array.of(n)));
});

describe('with ack', () => {
  test('the sender gets a reply', async () => {
    const sender = await join(withOptions({ ack: true }));
    sender.send(userBroadcastPush('1', '3', topic, 'bin', BYTES));
    expect(await sender.next()).toEqual(reply('3', 'ok'));
  });

  test('with self too, the sender gets a reply and its own copy', async () => {
    const sender = await join(withOptions({ ack: true, self: true }));
    sender.send(userBroadcastPush('1', '3', topic, 'bin', BYTES));
    const frames = [await sender.next(), await sender.next()];
    expect(frames).toContainEqual(userBroadcast(topic, 'bin', BYTES));
    expect(frames).toContainEqual(reply('3', 'ok'));
  });

  test('a payload above the limit is refused with a string, and the channel stays open', async () => {
    const sender = await join(withOptions({ ack: true }));
    sender.send(userBroadcastPush('1', '3', topic, 'bin', new Uint8Array(3_000_500)));
    sender.send(userBroadcastPush('1', '4', topic, 'bin', new Uint8Array(3_000_400)));
    expect(await sender.next()).toEqual(reply('3', 'error', 'payload_size_exceeded'));
    expect(await sender.next()).toEqual(reply('4', 'ok'));
  });
});

test('with self the sender gets its own copy', async () => {
  const sender = await join(withOptions({ self: true }));
  sender.send(hi(1));
  expect(await sender.next()).toEqual(received(1));
});

test('without ack, a payload above the limit is dropped silently, and the channel stays open', async () => {
  const [sender, receiver] = [await join(), await join()];
  sender.send(userBroadcastPush('1', '3', topic, 'bin', new Uint8Array(3_000_500)));
  sender.send(hi(1));
  expect(await receiver.next()).toEqual(received(1));
  expect(await sender.rest(topic)).toEqual([]);
});

test('a frame above five million bytes closes the socket', async () => {
  const sender = await join();
  sender.send(userBroadcastPush('1', '3', topic, 'bin', new Uint8Array(5_000_100)));
  expect(await sender.closed).toBe(1006);
});

describe.runIf(HAS_DATABASE)('a private topic', () => {
  test('is separate from the public topic of the same name', async () => {
    await target.grantAll('alice', 'bob');
    const [inside, outside, sender] = [await join(PRIVATE, 'bob'), await join(), await join(PRIVATE, 'alice')];
    sender.send(hi(1));
    outside.send(hi(2));
    expect(await inside.next()).toEqual(received(1));
    expect([...(await inside.rest(topic)), ...(await outside.rest(topic))]).toEqual([]);
  });

  test('silently drops what is sent without the right, even when a reply was requested', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'read' });
    await target.grantAll('bob');
    const receiver = await join(PRIVATE, 'bob');
    const sender = await join({ ...PRIVATE, broadcast: { ack: true } }, 'alice');
    sender.send(hi(1));
    sender.send(userBroadcastPush('1', '3', topic, 'bin', BYTES));
    expect([...(await sender.rest(topic)), ...(await receiver.rest(topic))]).toEqual([]);
  });

  test('checks the right to send at the first send, and remembers either result', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'read' });
    const acked = { ...PRIVATE, broadcast: { ack: true } };
    const [early, late] = [await join(acked, 'alice'), await join(acked, 'alice')];
    early.send(hi(1));
    expect(await early.rest(topic)).toEqual([]);
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'write' });
    late.send(hi(2));
    expect(await late.next()).toEqual(reply('2', 'ok'));
    early.send(hi(3));
    // It receives the other client's message; its own was refused for good.
    expect(await early.rest(topic)).toEqual([received(2)]);
    await target.revoke();
    late.send(hi(4));
    expect(await late.next()).toEqual(reply('2', 'ok'));
    expect(await early.next()).toEqual(received(4));
  });

  test('checks again after a rejoin', async () => {
    await target.grantAll('alice');
    const client = await join(PRIVATE, 'alice');
    await target.revoke();
    expect(await client.join(topic, PRIVATE, await target.tokenOf('alice'), '2')).toMatchObject({ status: 'error' });
  });

  test('sends no broadcasts to a client that may only read presence', async () => {
    await target.grant({ who: 'bob', extension: 'presence', mode: 'read' });
    await target.grantAll('alice');
    const receiver = await join({ ...PRIVATE, presence: { key: 'b', enabled: true } }, 'bob');
    const sender = await join({ ...PRIVATE, broadcast: { ack: true } }, 'alice');
    sender.send(hi(1));
    await sender.next();
    expect(await receiver.rest(topic)).toEqual([['1', null, topic, 'presence_state', {}]]);
  });

  test('appears in policies without its prefix', async () => {
    expect(topic).toBe(`realtime:${room}`);
    await target.grantAll('alice');
    expect(await (await target.connect()).join(topic, PRIVATE, await target.tokenOf('alice'))).toMatchObject({
      status: 'ok',
    });
  });
});
