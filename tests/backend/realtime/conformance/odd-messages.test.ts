// Messages that no client library sends, and what the server makes of them. Each was sent to Realtime 2.129.8 first.
import { describe, expect, test } from 'vitest';
import { type RawClient, userBroadcast, userBroadcastPush } from '../support/raw-client.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const { topic } = target;
const ECHO = { private: false, broadcast: { self: true, ack: true } };
const reply = (ref: string, status: string, response: object) => ['1', ref, topic, 'phx_reply', { status, response }];
const ok = (ref: string) => reply(ref, 'ok', {});
const unmatched = (ref: string) => [
  null,
  ref,
  topic,
  'phx_reply',
  { status: 'error', response: { reason: 'unmatched topic' } },
];

async function joined(config: object = ECHO): Promise<RawClient> {
  const client = await target.connect();
  expect(await client.join(topic, config)).toMatchObject({ status: 'ok' });
  return client;
}

/** The messages that `client` receives because of `frame`: its own broadcast and the reply. */
async function answersTo(client: RawClient, frame: unknown, count = 2): Promise<unknown[]> {
  client.send(frame);
  const answers: unknown[] = [];
  while (answers.length < count) answers.push(await client.next());
  return answers;
}

describe('a broadcast as text', () => {
  test.each([
    ['without anything', {}],
    ['without a payload', { event: 'e' }],
    ['with null', { event: 'e', payload: null }],
    ['with a list', { event: 'e', payload: [1] }],
    ['with a string', { event: 'e', payload: 'x' }],
    ['without a name', { event: '', payload: {} }],
    ['with a number for its name', { event: 5, payload: {} }],
    ['of another type', { event: 'e', payload: {}, type: 'x' }],
    ['with something else beside', { event: 'e', payload: {}, type: 'broadcast', extra: 1 }],
  ])('%s is passed on as it is', async (_, payload) => {
    const client = await joined();
    const answers = await answersTo(client, ['1', '2', topic, 'broadcast', payload]);
    expect(answers).toContainEqual(ok('2'));
    expect(answers).toContainEqual([null, null, topic, 'broadcast', payload]);
  });

  test('that is not an object ends the channel, and the socket goes on', async () => {
    const client = await joined();
    client.send(['1', '2', topic, 'broadcast', null]);
    expect(await client.next()).toEqual(['1', '1', topic, 'phx_error', { reason: 'channel_crash' }]);
    client.send(['1', '3', topic, 'broadcast', { event: 'e' }]);
    expect(await client.next()).toEqual(unmatched('3'));
    expect(await client.join(topic, ECHO, undefined, '4')).toMatchObject({ status: 'ok' });
  });
});

describe('presence', () => {
  const presence = { private: false, presence: { key: 'k', enabled: true } };
  const track = (payload: object) => ['1', '2', topic, 'presence', { type: 'presence', event: 'track', ...payload }];

  test('that is tracked without a payload is an empty state', async () => {
    const client = await joined(presence);
    await client.next();
    const answers = await answersTo(client, track({}));
    expect(answers).toContainEqual(ok('2'));
    const joins = { k: { metas: [{ phx_ref: expect.any(String) }] } };
    expect(answers).toContainEqual([null, null, topic, 'presence_diff', { joins, leaves: {} }]);
  });

  test.each([null, 'x', 5, [1]])('of %j is refused', async (payload) => {
    const client = await joined(presence);
    await client.next();
    const [answer] = await answersTo(client, track({ payload }), 1);
    expect(answer).toEqual(reply('2', 'error', { reason: 'Presence track payload must be a map' }));
  });
});

describe('a broadcast in bytes', () => {
  const bytes = (text: string) => Buffer.from(text);

  test.each([
    ['bytes', Uint8Array.of(1, 2, 3), 'ev'],
    ['no bytes', new Uint8Array(), 'ev'],
    ['no name', bytes('x'), ''],
  ])('with %s arrives as it is', async (_, payload, event) => {
    const client = await joined();
    const answers = await answersTo(client, userBroadcastPush('1', '2', topic, event, payload));
    expect(answers).toContainEqual(ok('2'));
    expect(answers).toContainEqual(userBroadcast(topic, event, payload));
  });

  test.each(['{"a":1}', 'not json', '[1]', '"s"', 'null'])(
    'that claims to be JSON is not looked at: %s',
    async (text) => {
      const client = await joined();
      const push = userBroadcastPush('1', '2', topic, 'ev', bytes(text));
      // The byte that says how the payload is encoded.
      push[6] = 1;
      const answers = await answersTo(client, push);
      expect(answers).toContainEqual(ok('2'));
      expect(answers).toContainEqual(userBroadcast(topic, 'ev', text));
    },
  );
});
