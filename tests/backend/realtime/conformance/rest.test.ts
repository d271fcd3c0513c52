// Broadcasts over HTTP: a batch, or a single message with its topic and event in the URL.
import { describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const PUBLIC = { private: false };

async function post(path: string, body: BodyInit, headers: Record<string, string> = {}, token?: string) {
  const response = await fetch(`${target.broadcastUrl}${path}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      apikey: target.anonKey,
      authorization: `Bearer ${token ?? (await target.tokenOf('alice'))}`,
      ...headers,
    },
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}
const postBatch = (messages: unknown, token?: string) => post('', JSON.stringify({ messages }), {}, token);
const postOne = (body: BodyInit, query = '', headers: Record<string, string> = {}, event = 'hi') =>
  post(`/${encodeURIComponent(room)}/events/${encodeURIComponent(event)}${query}`, body, headers);
const ACCEPTED = { status: 202, body: null };
const BYTES = { 'content-type': 'application/octet-stream' };
const tooLarge = (bytes: number) => 'x'.repeat(3_000_500 + bytes);

async function join(config: object = PUBLIC, vsn?: '1.0.0' | '2.0.0'): Promise<RawClient> {
  const client = await target.connect(undefined, vsn);
  const payload = { config, access_token: await target.tokenOf('bob') };
  client.send(
    vsn === '1.0.0'
      ? { topic, event: 'phx_join', payload, ref: '1', join_ref: '1' }
      : ['1', '1', topic, 'phx_join', payload],
  );
  await client.next();
  return client;
}

describe('a batch', () => {
  test('is accepted and reaches its topics as text', async () => {
    const receiver = await join();
    const message = (n: number) => ({ topic: room, event: 'hi', payload: { n } });
    expect(await postBatch([message(1), { ...message(2), topic: `${room}-empty` }, message(3)])).toEqual(ACCEPTED);
    for (const n of [1, 3]) {
      expect(await receiver.next()).toEqual([
        null,
        null,
        topic,
        'broadcast',
        { event: 'hi', payload: { n }, type: 'broadcast' },
      ]);
    }
  });

  test('with incomplete messages is refused as a whole, with the errors of each message', async () => {
    const receiver = await join();
    const right = { topic: room, event: 'hi', payload: { n: 1 } };
    expect(await postBatch([{ topic: room }, { payload: { n: 1 } }, right])).toEqual({
      status: 422,
      body: {
        errors: {
          messages: [
            { payload: ["can't be blank"], event: ["can't be blank"] },
            { topic: ["can't be blank"], event: ["can't be blank"] },
            {},
          ],
        },
      },
    });
    expect(await receiver.rest()).toEqual([]);
  });

  test('with a message above the size limit is refused', async () => {
    const message = { topic: room, event: 'hi', payload: { text: tooLarge(0) } };
    expect(await postBatch([message])).toEqual({
      status: 422,
      body: { errors: { messages: [{ payload: ['Payload size exceeds tenant limit'] }] } },
    });
  });

  test('with something that is not a token is refused', async () => {
    expect(await postBatch([], 'garbage')).toMatchObject({ status: 401 });
  });

  test.runIf(HAS_DATABASE)(
    'brings private messages of who may send them, and drops the others in silence',
    async () => {
      await target.grantAll('bob');
      const receiver = await join({ private: true });
      const message = (n: number) => ({ topic: room, event: 'hi', payload: { n }, private: true });
      expect(await postBatch([message(1)])).toEqual(ACCEPTED);
      await target.grant({ who: 'alice', extension: 'broadcast', mode: 'write' });
      expect(await postBatch([message(2)])).toEqual(ACCEPTED);
      expect(await receiver.next()).toMatchObject([null, null, topic, 'broadcast', { payload: { n: 2 } }]);
    },
  );
});

describe('one message', () => {
  test('of JSON reaches its topic as a frame of kind 4, and as text in protocol 1.0.0', async () => {
    const [receiver, old] = [await join(), await join(PUBLIC, '1.0.0')];
    expect(await postOne('{"n":1}')).toEqual(ACCEPTED);
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'hi', '{"n":1}'));
    expect(await old.next()).toMatchObject({ payload: { event: 'hi', payload: { n: 1 }, type: 'broadcast' } });
  });

  test('of bytes arrives as bytes, and never in protocol 1.0.0', async () => {
    const [receiver, old] = [await join(), await join(PUBLIC, '1.0.0')];
    const bytes = Uint8Array.of(0, 1, 0xfe, 0xff);
    expect(await postOne(bytes, '', BYTES)).toEqual(ACCEPTED);
    expect(await postOne('{"n":2}')).toEqual(ACCEPTED);
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'hi', bytes));
    expect(await old.next()).toMatchObject({ payload: { payload: { n: 2 } } });
  });

  test('may have an event in any script', async () => {
    const receiver = await join();
    expect(await postOne('{}', '', {}, 'grüße/部屋')).toEqual(ACCEPTED);
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'grüße/部屋', '{}'));
  });

  test('reaches the sender’s own channel too', async () => {
    const client = await join({ ...PUBLIC, broadcast: { self: false } });
    await post(`/${room}/events/hi`, '{}', {}, await target.tokenOf('bob'));
    expect(await client.next()).toEqual(userBroadcast(topic, 'hi', '{}'));
  });

  test.each([
    ['JSON', () => JSON.stringify({ text: tooLarge(0) }), {}],
    ['bytes', () => Buffer.alloc(3_000_600), BYTES],
  ])('of %s above the size limit is refused', async (_, body, headers) => {
    expect(await postOne(body(), '', headers)).toEqual({
      status: 422,
      body: { errors: { payload: ['Payload size exceeds tenant limit'] } },
    });
  });

  test('of another type is refused', async () => {
    expect(await postOne('hello', '', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  });

  test.runIf(HAS_DATABASE)('to a private topic needs the right to send', async () => {
    await target.grantAll('bob');
    const receiver = await join({ private: true });
    expect(await postOne('{"n":1}', '?private=true')).toEqual({ status: 403, body: { message: 'Unauthorized' } });
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'write' });
    expect(await postOne('{"n":2}', '?private=true')).toEqual(ACCEPTED);
    expect(await receiver.next()).toEqual(userBroadcast(topic, 'hi', '{"n":2}'));
  });
});
