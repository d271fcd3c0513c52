// The access_token message and the expiry of tokens on open channels.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RawClient } from './support/raw-client.ts';
import {
  RealtimeServer,
  createDatabase,
  fullGrants,
  holdDatabase,
  tokenOf,
  tokenWith,
} from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const PRIVATE = { private: true, broadcast: { ack: true } };
const CLOSED = ['1', '1', TOPIC, 'phx_close', {}];
const FORBIDDEN = 'You do not have permissions to read from this Channel topic: room1';

let pg: PGlite;
let server: RealtimeServer;
let alice: string;
/** Another token of the same person. */
let renewed: string;
beforeAll(async () => {
  pg = await createDatabase();
  alice = await tokenOf('alice');
  renewed = await tokenOf('alice', { session_id: '2' });
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

async function joined(config: object, token?: string): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(TOPIC, config, token)).toMatchObject({ status: 'ok' });
  return client;
}
const system = (message: unknown) => [
  '1',
  null,
  TOPIC,
  'system',
  { message, status: 'error', extension: 'system', channel: 'room1' },
];
const push = (token: unknown) => ['1', '3', TOPIC, 'access_token', { access_token: token }];
const hi = ['1', '4', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }];
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a new token', () => {
  test('is taken without a word', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    client.send(push(renewed));
    client.send(hi);
    expect(await client.next()).toMatchObject(['1', '4', TOPIC, 'phx_reply', { status: 'ok' }]);
  });

  test('that may no longer read closes the channel', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    await pg.exec('delete from public.grants');
    client.send(push(renewed));
    expect(await client.next()).toEqual(system(FORBIDDEN));
    expect(await client.next()).toEqual(CLOSED);
  });

  test('brings a right to send that was refused before', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' });
    const client = await joined(PRIVATE, alice);
    client.send(hi);
    await client.rest(TOPIC);
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'write' });
    client.send(push(renewed));
    client.send(hi);
    expect(await client.next()).toMatchObject(['1', '4', TOPIC, 'phx_reply', { status: 'ok' }]);
  });

  test('takes a right to send that was remembered', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    client.send(hi);
    await client.next();
    await pg.exec(`delete from public.grants where mode = 'write'`);
    client.send(push(renewed));
    client.send(hi);
    expect(await client.rest(TOPIC)).toEqual([]);
  });

  test('of somebody else is judged by that person', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    client.send(push(await tokenOf('bob')));
    expect(await client.next()).toEqual(system(FORBIDDEN));
  });

  test.each([
    ['the same', () => alice],
    ['null', () => null],
    ['an api key', () => 'sb_publishable_test'],
    ['a number', () => 7],
  ])('that is %s changes nothing', async (_, token) => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, alice);
    await pg.exec('delete from public.grants');
    client.send(push(token()));
    expect(await client.rest(TOPIC)).toEqual([]);
  });

  test.each([
    ['garbage', async () => 'garbage', 'The token provided is not a valid JWT'],
    [
      'signed by another',
      () => tokenOf('alice', {}, 'another-secret-of-at-least-thirty-two-chars'),
      ':signature_error',
    ],
    ['expired', () => tokenOf('alice', { exp: secondsFromNow(-5) }), /^Token has expired [56] seconds ago$/],
    ['without a role', () => tokenWith({ exp: 4_000_000_000 }), 'Fields `role` and `exp` are required in JWT'],
  ])('that is %s closes the channel, public ones too', async (_, token, message) => {
    const client = await joined({ private: false });
    client.send(push(await token()));
    expect(await client.next()).toEqual(system(expect.stringMatching(message)));
    expect(await client.next()).toEqual(CLOSED);
    client.send(hi);
    expect(await client.rest()).toMatchObject([[null, '4', TOPIC, 'phx_reply', { status: 'error' }]]);
  });

  test('that is refused makes the presence leave', async () => {
    const config = { private: false, presence: { key: 'ka', enabled: true } };
    const client = await joined(config);
    client.send(['1', '2', TOPIC, 'presence', { event: 'track', payload: {} }]);
    await client.rest();
    const other = await joined({ private: false });
    client.send(push('garbage'));
    expect(await other.next()).toMatchObject([null, null, TOPIC, 'presence_diff', { joins: {}, leaves: { ka: {} } }]);
  });
});

describe('a token expires', () => {
  test.each([
    ['private', PRIVATE],
    ['public', { private: false }],
  ])('exactly at its time on a %s channel, and the socket stays open', async (_, config) => {
    await server.grant(...fullGrants('room1', 'alice'));
    const expiresAt = secondsFromNow(2);
    const client = await joined(config, await tokenOf('alice', { exp: expiresAt }));
    expect(await client.next()).toEqual(system('Token has expired 0 seconds ago'));
    const late = Date.now() - expiresAt * 1000;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(500);
    expect(await client.next()).toEqual(CLOSED);
    expect(await client.rest()).toEqual([]);
  });

  test('that was only the api key of the socket', async () => {
    const client = await server.connect(await tokenOf('alice', { exp: secondsFromNow(1) }));
    await client.join(TOPIC, { private: false });
    expect(await client.next()).toEqual(system('Token has expired 0 seconds ago'));
  });

  test('later when it was renewed in time', async () => {
    const client = await joined({ private: false }, await tokenOf('alice', { exp: secondsFromNow(1) }));
    client.send(push(renewed));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await client.rest()).toEqual([]);
  });

  test('not while the new one is looked at', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await joined(PRIVATE, await tokenOf('alice', { exp: secondsFromNow(1) }));
    const letGo = await holdDatabase(pg);
    client.send(push(renewed));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    letGo();
    expect(await client.rest(TOPIC)).toEqual([]);
  });

  test('in steps when it lives longer than a timer can wait', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { tokenCheckMs: 20 });
    const client = await joined({ private: false }, await tokenOf('alice', { exp: secondsFromNow(1) }));
    expect(await client.next()).toEqual(system('Token has expired 0 seconds ago'));
  });
});
