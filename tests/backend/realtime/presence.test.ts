// Presence: who is told what, frame by frame, and the rules of the roster behind it.
import type { PGlite } from '@electric-sql/pglite';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallLimit } from '../../../backend/realtime/call-limit.ts';
import { PresenceRoster } from '../../../backend/realtime/presence-roster.ts';
import type { RawClient } from './support/raw-client.ts';
import { RealtimeServer, createDatabase, fullGrants, holdDatabase, tokenOf } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const A_REF: unknown = expect.stringMatching(/^[\w-]{16}$/);

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

const config = (key: string, options: { enabled?: boolean; private?: boolean } = {}) => ({
  private: options.private ?? false,
  presence: { key, enabled: options.enabled ?? true },
});

/** Joined, with its presence_state read. */
async function present(key: string, options: { private?: boolean; token?: string } = {}): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(TOPIC, config(key, options), options.token)).toMatchObject({ status: 'ok' });
  expect(await client.next()).toMatchObject(['1', null, TOPIC, 'presence_state', {}]);
  return client;
}

const track = (payload: unknown, ref = '2') => [
  '1',
  ref,
  TOPIC,
  'presence',
  { type: 'presence', event: 'track', payload },
];
const untrack = (ref = '3') => ['1', ref, TOPIC, 'presence', { type: 'presence', event: 'untrack' }];
const diff = (joins: object, leaves: object) => [null, null, TOPIC, 'presence_diff', { joins, leaves }];
const ok = (ref: string) => ['1', ref, TOPIC, 'phx_reply', { status: 'ok', response: {} }];
const system = (message: string) => [
  '1',
  null,
  TOPIC,
  'system',
  { message, status: 'error', extension: 'system', channel: 'room1' },
];
const CLOSED = ['1', '1', TOPIC, 'phx_close', {}];

describe('after the join', () => {
  test('the state of an empty topic is sent', async () => {
    const client = await server.connect();
    await client.join(TOPIC, config('ka'));
    expect(await client.rest(TOPIC)).toEqual([['1', null, TOPIC, 'presence_state', {}]]);
  });

  test('the state names who is there, with a meta for each channel of a key', async () => {
    const first = await present('ka');
    first.send(track({ name: 'A', n: 1 }));
    await first.rest(TOPIC);
    const second = await present('ka');
    second.send(track({ name: 'A', n: 2 }));
    await second.rest(TOPIC);
    const client = await server.connect();
    await client.join(TOPIC, config('kb'));
    expect(await client.next()).toEqual([
      '1',
      null,
      TOPIC,
      'presence_state',
      {
        ka: {
          metas: [
            { phx_ref: A_REF, name: 'A', n: 1 },
            { phx_ref: A_REF, name: 'A', n: 2 },
          ],
        },
      },
    ]);
  });

  test('no state is sent to a client that does not want presence', async () => {
    const client = await server.connect();
    await client.join(TOPIC, config('ka', { enabled: false }));
    expect(await client.rest(TOPIC)).toEqual([]);
  });
});

describe('track', () => {
  test('tells everybody, the sender too, and is answered', async () => {
    const [sender, other] = [await present('ka'), await present('kb')];
    sender.send(track({ name: 'A', n: 1 }));
    const joins = { ka: { metas: [{ phx_ref: A_REF, name: 'A', n: 1 }] } };
    expect(await sender.rest(TOPIC)).toEqual([diff(joins, {}), ok('2')]);
    expect(await other.rest(TOPIC)).toEqual([diff(joins, {})]);
  });

  test('in other words replaces the meta and names the one before', async () => {
    const sender = await present('ka');
    sender.send(track({ n: 1 }));
    sender.send(track({ n: 2 }, '3'));
    const [first, , second] = await sender.rest(TOPIC);
    const ref = (first as { 4: { joins: { ka: { metas: { phx_ref: string }[] } } } })[4].joins.ka.metas[0]?.phx_ref;
    expect(second).toEqual(
      diff(
        { ka: { metas: [{ phx_ref: A_REF, phx_ref_prev: ref, n: 2 }] } },
        { ka: { metas: [{ phx_ref: ref, n: 1 }] } },
      ),
    );
  });

  test('in the same words is answered and tells nobody', async () => {
    const sender = await present('ka');
    sender.send(track({ n: 1 }));
    await sender.rest(TOPIC);
    sender.send(track({ n: 1 }, '3'));
    expect(await sender.rest(TOPIC)).toEqual([ok('3')]);
  });

  test('needs an object', async () => {
    const sender = await present('ka');
    sender.send(track('A'));
    expect(await sender.rest(TOPIC)).toEqual([
      ['1', '2', TOPIC, 'phx_reply', { status: 'error', response: { reason: 'Presence track payload must be a map' } }],
    ]);
  });

  test('turns presence on for a client that had it off', async () => {
    const client = await server.connect();
    await client.join(TOPIC, config('ka', { enabled: false }));
    client.send(track({ n: 1 }));
    const metas = { ka: { metas: [{ phx_ref: A_REF, n: 1 }] } };
    expect(await client.rest(TOPIC)).toEqual([diff(metas, {}), ok('2'), ['1', null, TOPIC, 'presence_state', metas]]);
  });

  test('without a key is kept under a random one', async () => {
    const sender = await present('');
    sender.send(track({ n: 1 }));
    const [frame] = await sender.rest(TOPIC);
    const keys = Object.keys((frame as { 4: { joins: object } })[4].joins);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  test('above the size limit closes the channel', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { maxPayloadBytes: 100 });
    const sender = await present('ka');
    sender.send(track({ text: 'x'.repeat(100) }));
    expect(await sender.upTo('phx_close')).toEqual([system('Track message size exceeded'), CLOSED]);
  });

  test('reaches public members that do not want presence, too', async () => {
    const other = await server.connect();
    await other.join(TOPIC, config('kb', { enabled: false }));
    const sender = await present('ka');
    sender.send(track({ n: 1 }));
    expect(await other.next()).toEqual(diff({ ka: { metas: [{ phx_ref: A_REF, n: 1 }] } }, {}));
  });

  test('keeps a key and a field of any name', async () => {
    const sender = await present('__proto__');
    sender.send('["1","2","realtime:room1","presence",{"event":"track","payload":{"__proto__":1,"phx_ref":"forged"}}]');
    const [frame] = await sender.rest(TOPIC);
    expect(JSON.stringify(frame)).toMatch(
      /\{"joins":\{"__proto__":\{"metas":\[\{"__proto__":1,"phx_ref":"(?!forged)[\w-]{16}"\}\]\}\}/,
    );
  });
});

describe('somebody goes', () => {
  const leaves = diff({}, { ka: { metas: [{ phx_ref: A_REF, n: 1 }] } });
  let sender: RawClient;
  let other: RawClient;
  beforeEach(async () => {
    sender = await present('ka');
    sender.send(track({ n: 1 }));
    await sender.rest(TOPIC);
    other = await present('kb');
  });

  test('by untrack', async () => {
    sender.send(untrack());
    expect(await sender.rest(TOPIC)).toEqual([leaves, ok('3')]);
    expect(await other.rest(TOPIC)).toEqual([leaves]);
  });

  test('by leaving', async () => {
    sender.send(['1', '4', TOPIC, 'phx_leave', {}]);
    expect(await other.next()).toEqual(leaves);
    expect(await sender.rest(TOPIC)).not.toContainEqual(leaves);
  });

  test('by the death of the socket, at once', async () => {
    const died = performance.now();
    sender.end();
    expect(await other.next()).toEqual(leaves);
    expect(performance.now() - died).toBeLessThan(500);
  });

  test('by a second join of the topic', async () => {
    sender.send(['9', '9', TOPIC, 'phx_join', { config: config('ka') }]);
    expect(await other.next()).toEqual(leaves);
  });

  test('by the death of the socket while the database is asked whether it may come', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const witness = await present('ky', { private: true, token: alice });
    const dying = await present('kz', { private: true, token: alice });
    const letGo = await holdDatabase(pg);
    dying.send(track({ n: 1 }));
    await dying.rest();
    dying.end();
    await new Promise((resolve) => setTimeout(resolve, 50)); // the server hears of it
    letGo();
    const client = await server.connect();
    await client.join(TOPIC, config('kb', { private: true }), alice);
    expect(await client.next()).toEqual(['1', null, TOPIC, 'presence_state', {}]);
    expect(await witness.rest()).toEqual([]);
  });

  test('while another channel of the same key stays', async () => {
    const twin = await present('ka');
    twin.send(track({ n: 2 }));
    await twin.rest(TOPIC);
    sender.end();
    const client = await server.connect();
    await twin.next();
    await client.join(TOPIC, config('kc'));
    expect(await client.next()).toEqual([
      '1',
      null,
      TOPIC,
      'presence_state',
      { ka: { metas: [{ phx_ref: A_REF, n: 2 }] } },
    ]);
  });
});

test('untrack of somebody who is not there is answered and tells nobody', async () => {
  const sender = await present('ka');
  sender.send(untrack());
  expect(await sender.rest(TOPIC)).toEqual([ok('3')]);
});

test('an unknown presence event is refused', async () => {
  const sender = await present('ka');
  sender.send(['1', '2', TOPIC, 'presence', { type: 'presence', event: 'dance' }]);
  expect(await sender.rest(TOPIC)).toEqual([['1', '2', TOPIC, 'phx_reply', { status: 'error', response: {} }]]);
});

describe('the sixth call within the window', () => {
  test('closes the channel', async () => {
    const sender = await present('ka');
    for (let n = 1; n <= 6; n++) sender.send(track({ n }, `${n}`));
    const frames = await sender.upTo('phx_close');
    expect(frames.slice(-2)).toEqual([system('Client presence rate limit exceeded'), CLOSED]);
    expect(frames).toContainEqual(ok('5'));
    expect(frames).not.toContainEqual(ok('6'));
  });

  test('is a first call again when the window has ended', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { presenceWindowMs: 50 });
    const sender = await present('ka');
    for (let n = 1; n <= 5; n++) sender.send(track({ n }, `${n}`));
    await sender.rest(TOPIC);
    await new Promise((resolve) => setTimeout(resolve, 60));
    sender.send(track({ n: 6 }, '6'));
    expect(await sender.rest(TOPIC)).toContainEqual(ok('6'));
  });
});

describe('on a private topic', () => {
  test('whoever may be present but not send is present', async () => {
    await server.grant(
      { topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' },
      { topic: 'room1', who: 'alice', extension: 'presence', mode: 'read' },
      { topic: 'room1', who: 'alice', extension: 'presence', mode: 'write' },
    );
    const client = await present('ka', { private: true, token: alice });
    client.send(track({ n: 1 }));
    client.send(['1', '9', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await client.rest(TOPIC)).toEqual([diff({ ka: { metas: [{ phx_ref: A_REF, n: 1 }] } }, {}), ok('2')]);
  });

  test('track without the right is refused', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'presence', mode: 'read' });
    const client = await present('ka', { private: true, token: alice });
    client.send(track({ n: 1 }));
    expect(await client.rest(TOPIC)).toEqual([['1', '2', TOPIC, 'phx_reply', { status: 'error', response: {} }]]);
  });

  test('whoever may not read presence learns of nobody', async () => {
    await server.grant(
      { topic: 'room1', who: 'bob', extension: 'broadcast', mode: 'read' },
      ...fullGrants('room1', 'alice'),
    );
    const watcher = await server.connect();
    expect(await watcher.join(TOPIC, config('kb', { private: true }), bob)).toMatchObject({ status: 'ok' });
    const client = await present('ka', { private: true, token: alice });
    client.send(track({ n: 1 }));
    await client.rest(TOPIC);
    expect(await watcher.rest(TOPIC)).toEqual([]);
  });

  test('presence that is turned on by a track asks for the right to read it', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, config('ka', { private: true, enabled: false }), alice);
    client.send(track({ n: 1 }));
    const metas = { ka: { metas: [{ phx_ref: A_REF, n: 1 }] } };
    expect(await client.rest(TOPIC)).toEqual([diff(metas, {}), ok('2'), ['1', null, TOPIC, 'presence_state', metas]]);
  });
});

describe('the roster', () => {
  test('holds after any calls exactly what each owner said last', () => {
    const call = fc.record({
      owner: fc.constantFrom('o1', 'o2', 'o3'),
      payload: fc.option(fc.record({ n: fc.integer({ min: 0, max: 2 }) }, { noNullPrototype: true })),
    });
    fc.assert(
      fc.property(fc.array(call), (calls) => {
        const roster = new PresenceRoster<string>();
        const said = new Map<string, { n: number }>();
        for (const { owner, payload } of calls) {
          const before = said.get(owner)?.n ?? null;
          const told = payload === null ? roster.untrack(owner) : roster.track(owner, 'key', payload);
          if (payload === null) said.delete(owner);
          else said.set(owner, payload);
          expect(told !== null).toBe(before !== (payload?.n ?? null));
        }
        const metas = roster.state()['key']?.metas ?? [];
        const sorted = (numbers: unknown[]) => numbers.map(Number).toSorted((a, b) => a - b);
        expect(sorted(metas.map((meta) => meta['n']))).toEqual(sorted([...said.values()].map(({ n }) => n)));
      }),
    );
  });
});

test('a call limit counts from its first call and starts anew after the window', () => {
  const limit = new CallLimit(2, 100);
  expect([0, 50, 100, 101, 150, 201, 202].map((now) => limit.take(now))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});
