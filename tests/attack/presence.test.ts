// Presence as a weapon: states that are large, many, or changed all the time must not end or slow the sockets of others on
// the topic.
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { DEFAULT_OPTIONS } from '../../backend/realtime/limits/options.ts';
import { supabaseClient } from '../../src/platform/supabase/client.ts';
import type { RawClient } from '../backend/realtime/support/raw-client.ts';
import {
  ANON_KEY,
  type RealtimeEngine,
  RealtimeServer,
  fullGrants,
  openRealtimeEngine,
  tokenOf,
} from '../backend/realtime/support/realtime-server.ts';
import { until } from '../contract/contract-fixture.ts';

const TOPIC = 'realtime:page';
const { maxPresenceBytesPerPerson, maxPresencesPerSocket } = DEFAULT_OPTIONS;

let pg: RealtimeEngine;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await openRealtimeEngine();
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
  await server.grant(...fullGrants('page', 'alice', 'mallory'));
  return () => server.close();
});

const config = (key: string) => ({ private: true, presence: { key, enabled: true } });
const presence = (event: 'track' | 'untrack', payload: unknown, topic = TOPIC, ref = '2') => [
  '1',
  ref,
  topic,
  'presence',
  { type: 'presence', event, payload },
];

async function present(who: string, key = who, topic = TOPIC): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(topic, config(key), await tokenOf(who))).toMatchObject({ status: 'ok' });
  return client;
}

/** Joins, and returns the presence state as it arrives. */
async function stateSeenBy(who: string): Promise<Record<string, { metas: Record<string, unknown>[] }>> {
  const client = await present(who);
  const frame = await client.next();
  if (!Array.isArray(frame) || frame[3] !== 'presence_state') throw new Error('no presence state came');
  // The socket still answers.
  await client.rest();
  return frame[4];
}

const responseTo = (ref: string, frames: readonly unknown[]): unknown =>
  frames.find((frame) => Array.isArray(frame) && frame[1] === ref && frame[3] === 'phx_reply')?.[4 as never];

describe('a person who may only be present', () => {
  test('replaces ten small states by states of 2.9 MB, and everyone who joins afterwards stays', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, (_, n) => present('mallory', `k${n}`)));
    for (const socket of sockets) socket.send(presence('track', { small: true }));
    for (const socket of sockets) await socket.rest(TOPIC);
    for (const socket of sockets) socket.send(presence('track', { text: 'x'.repeat(2_900_000) }, TOPIC, '3'));
    for (const socket of sockets) expect(await socket.upTo('phx_close')).toMatchObject({});
    expect(JSON.stringify(await stateSeenBy('alice')).length).toBeLessThan(maxPresenceBytesPerPerson);
  });

  test('hides nothing large in the key', async () => {
    const mallory = await present('mallory', 'k'.repeat(5_000));
    mallory.send(presence('track', {}));
    await mallory.upTo('phx_close');
    expect(await stateSeenBy('alice')).toEqual({});
  });

  test('has a share of the topic, over all sockets, and others are present beside them', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, (_, n) => present('mallory', `k${n}`)));
    for (const socket of sockets) socket.send(presence('track', { text: 'x'.repeat(800) }));
    const answers = await Promise.all(sockets.map(async (socket) => responseTo('2', await socket.rest(TOPIC))));
    const full = { status: 'error', response: { reason: 'Too much presence on this topic' } };
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(full))).toHaveLength(6);
    expect(answers).toContainEqual({ status: 'ok', response: {} });
    const alice = await present('alice');
    alice.send(presence('track', { n: 1 }));
    expect(responseTo('2', await alice.rest(TOPIC))).toEqual({ status: 'ok', response: {} });
    // A person who removes a state may add another one.
    sockets[0]?.send(presence('untrack', {}, TOPIC, '4'));
    await sockets[0]?.rest(TOPIC);
    sockets[9]?.send(presence('track', { n: 1 }, TOPIC, '5'));
    expect(responseTo('5', (await sockets[9]?.rest(TOPIC)) ?? [])).toEqual({ status: 'ok', response: {} });
  });

  test('cannot fill a topic together with others: what exceeds its limit is refused', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { maxPresenceBytesPerTopic: 1_500 });
    await server.grant(...fullGrants('page', 'alice', 'mallory'));
    const [alice, mallory] = [await present('alice'), await present('mallory')];
    alice.send(presence('track', { text: 'x'.repeat(800) }));
    expect(responseTo('2', await alice.rest(TOPIC))).toEqual({ status: 'ok', response: {} });
    mallory.send(presence('track', { text: 'x'.repeat(800) }));
    const full = { status: 'error', response: { reason: 'Too much presence on this topic' } };
    expect(responseTo('2', await mallory.rest(TOPIC))).toEqual(full);
  });

  test('is present on a few topics with one socket', async () => {
    const topics = Array.from({ length: maxPresencesPerSocket + 1 }, (_, n) => `page${n}`);
    await server.grant(...topics.flatMap((topic) => fullGrants(topic, 'mallory')));
    const mallory = await server.connect();
    const token = await tokenOf('mallory');
    for (const topic of topics) {
      await mallory.join(`realtime:${topic}`, config('k'), token);
      mallory.send(presence('track', {}, `realtime:${topic}`));
      await mallory.rest(`realtime:${topic}`);
    }
    const last = `realtime:${topics.at(-1)}`;
    mallory.send(presence('track', {}, last, '3'));
    expect(responseTo('3', await mallory.rest(last))).toEqual({
      status: 'error',
      response: { reason: 'Too many presences on this socket' },
    });
  });

  test('cannot change it more often by joining again and again', async () => {
    const calls = DEFAULT_OPTIONS.presenceCallsPerPerson;
    const mallory = await server.connect();
    const token = await tokenOf('mallory');
    let closed = 0;
    for (let n = 0; n <= calls; n++) {
      await mallory.join(TOPIC, { private: true, presence: { key: 'k', enabled: false } }, token, `${n}`);
      mallory.send([`${n}`, 't', TOPIC, 'presence', { event: 'track', payload: { n } }]);
      mallory.send([`${n}`, 'l', TOPIC, 'phx_leave', {}]);
      const frames = await mallory.upTo('phx_close');
      if (JSON.stringify(frames).includes('Client presence rate limit exceeded')) closed++;
    }
    expect(closed).toBe(1);
  });
});

test('a reader of many full topics is not ended, however slowly they read', async () => {
  // All states together have to exceed the buffers of the operating system, so these topics hold more than usual.
  const mostPerTopic = 600_000;
  await server.close();
  server = await RealtimeServer.start(pg, {
    maxPresenceBytes: mostPerTopic / 2,
    maxPresenceBytesPerPerson: mostPerTopic,
    maxPresenceBytesPerTopic: mostPerTopic,
    maxBufferedBytes: 2_000_000,
  });
  const topics = Array.from({ length: maxPresencesPerSocket }, (_, n) => `page${n}`);
  await server.grant(...topics.flatMap((topic) => fullGrants(topic, 'alice', 'mallory')));
  const token = await tokenOf('mallory');
  for (let n = 0; n < 2; n++) {
    const mallory = await server.connect();
    for (const topic of topics) {
      await mallory.join(`realtime:${topic}`, { ...config(`k${n}`), presence: { key: `k${n}` } }, token);
      mallory.send(presence('track', { text: 'x'.repeat(mostPerTopic / 2 - 200) }, `realtime:${topic}`));
      await mallory.rest(`realtime:${topic}`);
    }
  }
  const alice = await server.connect();
  alice.pause();
  const access_token = await tokenOf('alice');
  for (const topic of topics) {
    alice.send(['1', topic, `realtime:${topic}`, 'phx_join', { config: config('a'), access_token }]);
  }
  // Meanwhile the server answers as many joins of someone else.
  const other = await server.connect();
  for (const topic of topics) await other.join(`realtime:${topic}`, { private: true }, token);
  alice.resume();
  let received = 0;
  for (const topic of topics) {
    const state = JSON.stringify((await alice.upTo('presence_state')).at(-1));
    expect(state).toContain(topic);
    received += state.length;
  }
  expect(received).toBeGreaterThan(0.9 * topics.length * mostPerTopic);
});

test('a join of megabytes is refused: its channel would keep them', async () => {
  const mallory = await server.connect();
  expect(await mallory.join(TOPIC, config('k'.repeat(100_000)), await tokenOf('mallory'))).toMatchObject({
    status: 'error',
    response: { reason: 'UnknownErrorOnChannel: the join is too large' },
  });
});

describe('on a server that does not limit presence', () => {
  const LARGE = 2_900_000;
  let client: SupabaseClient;
  beforeEach(async () => {
    await server.close();
    server = await RealtimeServer.start(pg, {
      maxPresenceBytes: 2 * LARGE,
      maxPresenceBytesPerPerson: 100 * LARGE,
      maxPresenceBytesPerTopic: 100 * LARGE,
      maxBufferedBytes: 100 * LARGE,
    });
    await server.grant(...fullGrants('page', 'mallory', 'anon'));
    const nothing = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
    client = supabaseClient({ url: server.url, anonKey: ANON_KEY }, nothing, new ServerClock());
    return async () => {
      await client.auth.stopAutoRefresh();
      await client.realtime.disconnect();
    };
  });

  const must = <T>(id: T | null): T => {
    if (id === null) throw new Error('malformed id');
    return id;
  };
  const session = must(parseSessionId('c0000000-0000-4000-8000-000000000001'));

  /** Joins with the app's own client. */
  function join() {
    const seen = { events: [] as string[], peers: [] as (readonly SessionId[])[] };
    const channel = supabaseLink(client).join(
      'page',
      { presence: session },
      {
        joined: () => void seen.events.push('joined'),
        lost: (reason) => void seen.events.push(reason),
        message: () => undefined,
        peers: (peers) => void seen.peers.push(peers),
      },
    );
    return { channel, seen };
  }

  test('a tab does not parse it, lists no one, and lists everyone after its next join', async () => {
    const mallory = await present('mallory');
    mallory.send(presence('track', { text: 'x'.repeat(LARGE) }));
    await mallory.rest(TOPIC);
    const parsed = vi.spyOn(JSON, 'parse');
    const first = join();
    await until(() => first.seen.peers.length > 0);
    mallory.send(presence('track', { text: 'y'.repeat(LARGE) }, TOPIC, '3'));
    mallory.send(presence('untrack', {}, TOPIC, '4'));
    await mallory.rest(TOPIC);
    first.channel.leave();
    const second = join();
    await until(() => second.seen.peers.at(-1)?.length === 1);
    expect(first.seen).toEqual({ events: ['joined'], peers: [[]] });
    expect(second.seen.events).toEqual(['joined']);
    expect(second.seen.peers.at(-1)).toEqual([session]);
    // The server parses what mallory sends, and mallory what they receive: the tab is the third.
    const large = parsed.mock.calls.filter(([text]) => text.length > LARGE);
    parsed.mockRestore();
    expect(large.length).toBeLessThanOrEqual(3);
    second.channel.leave();
  });
});
