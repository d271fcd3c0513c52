// Presence, frame by frame. A diff and the reply to the message that caused it may arrive in either order.
import { beforeEach, describe, expect, test } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const A_REF: unknown = expect.stringMatching(/^[\w-]{16}$/);

const config = (key: string, options: { enabled?: boolean; private?: boolean } = {}) => ({
  private: options.private ?? false,
  presence: { key, enabled: options.enabled ?? true },
});

/** Joins and reads the presence_state. */
async function joinPresence(key: string, who?: string): Promise<RawClient> {
  const client = await target.connect();
  const token = who === undefined ? undefined : await target.tokenOf(who);
  expect(await client.join(topic, config(key, { private: who !== undefined }), token)).toMatchObject({ status: 'ok' });
  expect(await client.next()).toMatchObject(['1', null, topic, 'presence_state', {}]);
  return client;
}

const track = (payload: unknown, ref = '2') => [
  '1',
  ref,
  topic,
  'presence',
  { type: 'presence', event: 'track', payload },
];
const untrack = (ref = '3') => ['1', ref, topic, 'presence', { type: 'presence', event: 'untrack' }];
const diff = (joins: object, leaves: object) => [null, null, topic, 'presence_diff', { joins, leaves }];
const state = (metas: object) => ['1', null, topic, 'presence_state', metas];
const ok = (ref: string) => ['1', ref, topic, 'phx_reply', { status: 'ok', response: {} }];
const refused = (ref: string, response: object) => ['1', ref, topic, 'phx_reply', { status: 'error', response }];
const meta = (fields: object) => ({ metas: [{ phx_ref: A_REF, ...fields }] });
const system = (message: string) => [
  '1',
  null,
  topic,
  'system',
  { message, status: 'error', extension: 'system', channel: room },
];
const CLOSED = ['1', '1', topic, 'phx_close', {}];

/** The next frames, in any order. */
async function nextFrames(client: RawClient, count: number): Promise<unknown[]> {
  const frames: unknown[] = [];
  while (frames.length < count) frames.push(await client.next());
  return frames;
}
const both = (...frames: readonly [unknown, unknown]): unknown => expect.arrayContaining([...frames]);
type Diff = [unknown, unknown, unknown, 'presence_diff', { joins: Record<string, { metas: { phx_ref: string }[] }> }];
const isDiff = (frame: unknown): frame is Diff => Array.isArray(frame) && frame[3] === 'presence_diff';
const joinsOf = (frames: readonly unknown[]) => frames.find(isDiff)?.[4].joins ?? {};

describe('after the join', () => {
  test('the client gets the state of an empty topic', async () => {
    const client = await target.connect();
    await client.join(topic, config('ka'));
    expect(await client.next()).toEqual(state({}));
  });

  test('the state lists everyone present, with a meta for each channel of a key', async () => {
    for (const n of [1, 2]) {
      const twin = await joinPresence('ka');
      twin.send(track({ name: 'A', n }));
      await twin.rest(topic);
    }
    const client = await target.connect();
    await client.join(topic, config('kb'));
    const metas = [1, 2].map((n) => ({ phx_ref: A_REF, name: 'A', n }));
    expect([state({ ka: { metas } }), state({ ka: { metas: metas.toReversed() } })]).toContainEqual(
      await client.next(),
    );
  });

  test('a client that does not want presence gets no state', async () => {
    const client = await target.connect();
    await client.join(topic, config('ka', { enabled: false }));
    expect(await client.rest(topic)).toEqual([]);
  });
});

describe('track', () => {
  test('informs everyone, including the sender, and gets a reply', async () => {
    const [sender, other] = [await joinPresence('ka'), await joinPresence('kb')];
    sender.send(track({ name: 'A', n: 1 }));
    const joinDiff = diff({ ka: meta({ name: 'A', n: 1 }) }, {});
    expect(await nextFrames(sender, 2)).toEqual(both(joinDiff, ok('2')));
    expect(await other.next()).toEqual(joinDiff);
  });

  test('with another payload replaces the meta and names the previous one', async () => {
    const sender = await joinPresence('ka');
    sender.send(track({ n: 1 }));
    const first = joinsOf(await nextFrames(sender, 2));
    const ref = first['ka']?.metas[0]?.phx_ref;
    sender.send(track({ n: 2 }, '3'));
    const leaves = { ka: { metas: [{ phx_ref: ref, n: 1 }] } };
    expect(await nextFrames(sender, 2)).toEqual(both(diff({ ka: meta({ phx_ref_prev: ref, n: 2 }) }, leaves), ok('3')));
  });

  test('with the same payload gets a reply and informs no one', async () => {
    const sender = await joinPresence('ka');
    sender.send(track({ n: 1 }));
    expect(await nextFrames(sender, 2)).toEqual(both(diff({ ka: meta({ n: 1 }) }, {}), ok('2')));
    sender.send(track({ n: 1 }, '3'));
    expect(await sender.rest(topic)).toEqual([ok('3')]);
  });

  test('needs an object', async () => {
    const sender = await joinPresence('ka');
    sender.send(track('A'));
    expect(await sender.next()).toEqual(refused('2', { reason: 'Presence track payload must be a map' }));
  });

  test('switches presence on for a client that had it off', async () => {
    const client = await target.connect();
    await client.join(topic, config('ka', { enabled: false }));
    client.send(track({ n: 1 }));
    expect(await nextFrames(client, 2)).toEqual(both(diff({ ka: meta({ n: 1 }) }, {}), ok('2')));
  });

  test('without a key gets a random one', async () => {
    const sender = await joinPresence('');
    sender.send(track({ n: 1 }));
    expect(Object.keys(joinsOf(await nextFrames(sender, 2)))).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('also reaches public members that do not want presence', async () => {
    const other = await target.connect();
    await other.join(topic, config('kb', { enabled: false }));
    const sender = await joinPresence('ka');
    sender.send(track({ n: 1 }));
    expect(await other.next()).toEqual(diff({ ka: meta({ n: 1 }) }, {}));
  });

  test('above the size limit closes the channel', async () => {
    const sender = await joinPresence('ka');
    sender.send(track({ text: 'x'.repeat(3_000_600) }));
    expect(await sender.upTo('phx_close')).toEqual([system('Track message size exceeded'), CLOSED]);
  });
});

describe('a presence leaves', () => {
  const leaves = diff({}, { ka: meta({ n: 1 }) });
  let sender: RawClient;
  let other: RawClient;
  beforeEach(async () => {
    sender = await joinPresence('ka');
    sender.send(track({ n: 1 }));
    await nextFrames(sender, 2);
    other = await joinPresence('kb');
  });

  test('by untrack', async () => {
    sender.send(untrack());
    expect(await nextFrames(sender, 2)).toEqual(both(leaves, ok('3')));
    expect(await other.next()).toEqual(leaves);
  });

  test('by leaving', async () => {
    sender.send(['1', '4', topic, 'phx_leave', {}]);
    expect(await other.next()).toEqual(leaves);
    expect(await sender.rest()).not.toContainEqual(leaves);
  });

  test('when the socket dies, at once', async () => {
    sender.end();
    // Waits for three seconds; a socket that is only silent counts as dead after a minute.
    expect(await other.next()).toEqual(leaves);
  });

  test('by a second join of the topic', async () => {
    sender.send(['9', '9', topic, 'phx_join', { config: config('ka') }]);
    expect(await other.next()).toEqual(leaves);
  });

  test('while another channel of the same key stays', async () => {
    const twin = await joinPresence('ka');
    twin.send(track({ n: 2 }));
    await twin.rest(topic);
    sender.end();
    await other.upTo('presence_diff');
    expect(await other.next()).toEqual(leaves);
    const client = await target.connect();
    await client.join(topic, config('kc'));
    expect(await client.next()).toEqual(state({ ka: meta({ n: 2 }) }));
  });
});

test('untrack without a presence gets a reply and informs no one', async () => {
  const sender = await joinPresence('ka');
  sender.send(untrack());
  expect(await sender.rest(topic)).toEqual([ok('3')]);
});

test('an unknown presence event is refused', async () => {
  const sender = await joinPresence('ka');
  sender.send(['1', '2', topic, 'presence', { type: 'presence', event: 'dance' }]);
  expect(await sender.next()).toEqual(refused('2', {}));
});

test('the sixth call within the window closes the channel', async () => {
  const sender = await joinPresence('ka');
  for (let n = 1; n <= 6; n++) sender.send(track({ n }, `${n}`));
  const frames = await sender.upTo('phx_close');
  expect(frames.slice(-2)).toEqual([system('Client presence rate limit exceeded'), CLOSED]);
  expect(frames).toContainEqual(ok('5'));
  expect(frames).not.toContainEqual(ok('6'));
});

describe.runIf(HAS_DATABASE)('on a private topic', () => {
  test('a client that may be present but not send is present', async () => {
    await target.grant(
      { who: 'alice', extension: 'broadcast', mode: 'read' },
      { who: 'alice', extension: 'presence', mode: 'read' },
      { who: 'alice', extension: 'presence', mode: 'write' },
    );
    const client = await joinPresence('ka', 'alice');
    client.send(track({ n: 1 }));
    expect(await nextFrames(client, 2)).toEqual(both(diff({ ka: meta({ n: 1 }) }, {}), ok('2')));
    client.send(['1', '9', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await client.rest(topic)).toEqual([]);
  });

  test('track without the right is refused', async () => {
    await target.grant({ who: 'alice', extension: 'presence', mode: 'read' });
    const client = await joinPresence('ka', 'alice');
    client.send(track({ n: 1 }));
    expect(await client.next()).toEqual(refused('2', {}));
  });
});
