// The access_token message and the expiry of tokens on open channels.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RawClient } from '../support/raw-client.ts';
import { HAS_DATABASE, secondsFromNow, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const PUBLIC = { private: false };
const PRIVATE = { private: true, broadcast: { ack: true } };
const CLOSED = ['1', '1', topic, 'phx_close', {}];
const FORBIDDEN = `You do not have permissions to read from this Channel topic: ${room}`;

async function join(config: object, token?: string): Promise<RawClient> {
  const client = await target.connect();
  expect(await client.join(topic, config, token)).toMatchObject({ status: 'ok' });
  return client;
}
const system = (message: unknown) => [
  '1',
  null,
  topic,
  'system',
  { message, status: 'error', extension: 'system', channel: room },
];
const push = (token: unknown) => ['1', '3', topic, 'access_token', { access_token: token }];
const renewed = () => target.tokenOf('alice', { session_id: '2' });
const hi = ['1', '4', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }];
const SENT = ['1', '4', topic, 'phx_reply', { status: 'ok', response: {} }];

describe.runIf(HAS_DATABASE)('a new token', () => {
  test('is accepted without a reply', async () => {
    await target.grantAll('alice');
    const client = await join(PRIVATE, await target.tokenOf('alice'));
    client.send(push(await renewed()));
    client.send(hi);
    expect(await client.next()).toEqual(SENT);
  });

  test('that may no longer read closes the channel', async () => {
    await target.grantAll('alice');
    const client = await join(PRIVATE, await target.tokenOf('alice'));
    await target.revoke();
    client.send(push(await renewed()));
    expect([await client.next(), await client.next()]).toEqual([system(FORBIDDEN), CLOSED]);
  });

  test('grants the right to send that was refused before', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'read' });
    const client = await join(PRIVATE, await target.tokenOf('alice'));
    client.send(hi);
    await client.rest(topic);
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'write' });
    client.send(push(await renewed()));
    client.send(hi);
    expect(await client.next()).toEqual(SENT);
  });

  test('removes the right to send that was remembered', async () => {
    await target.grantAll('alice');
    const client = await join(PRIVATE, await target.tokenOf('alice'));
    client.send(hi);
    await client.next();
    await target.revoke('write');
    client.send(push(await renewed()));
    client.send(hi);
    expect(await client.rest(topic)).toEqual([]);
  });

  test('of another user gets the rights of that user', async () => {
    await target.grantAll('alice');
    const client = await join(PRIVATE, await target.tokenOf('alice'));
    client.send(push(await target.tokenOf('bob')));
    expect(await client.next()).toEqual(system(FORBIDDEN));
  });

  test.each<[string, (token: string) => unknown]>([
    ['the same', (token) => token],
    ['null', () => null],
    ['an api key', () => 'sb_publishable_test'],
  ])('that is %s is ignored', async (_, pushed) => {
    await target.grantAll('alice');
    const token = await target.tokenOf('alice');
    const client = await join(PRIVATE, token);
    await target.revoke();
    client.send(push(pushed(token)));
    expect(await client.rest(topic)).toEqual([]);
  });
});

describe('a token closes the channel, even a public one, when it is', () => {
  test.each<[string, () => Promise<string>, string | RegExp]>([
    ['garbage', async () => 'garbage', 'The token provided is not a valid JWT'],
    [
      'signed by another',
      () => target.tokenOf('alice', {}, 'another-secret-of-at-least-thirty-two-chars'),
      ':signature_error',
    ],
    ['expired', () => target.tokenOf('alice', { exp: secondsFromNow(-5) }), /^Token has expired \d+ seconds ago$/],
    [
      'without a role',
      () => target.tokenWith({ exp: secondsFromNow(3600) }),
      'Fields `role` and `exp` are required in JWT',
    ],
  ])('%s', async (_, token, message) => {
    const client = await join(PUBLIC);
    client.send(push(await token()));
    expect(await client.next()).toEqual(system(expect.stringMatching(message)));
    expect(await client.next()).toEqual(CLOSED);
    client.send(hi);
    expect(await client.rest()).toMatchObject([[null, '4', topic, 'phx_reply', { status: 'error' }]]);
  });

  test('refused, and its presence leaves', async () => {
    const [client, other] = [await target.connect(), await join(PUBLIC)];
    await client.join(topic, { ...PUBLIC, presence: { key: 'ka', enabled: true } });
    client.send(['1', '2', topic, 'presence', { type: 'presence', event: 'track', payload: {} }]);
    await other.next();
    client.send(push('garbage'));
    expect(await other.next()).toMatchObject([null, null, topic, 'presence_diff', { joins: {}, leaves: { ka: {} } }]);
  });
});

describe('a token expires', () => {
  const EXPIRED = system(expect.stringMatching(/^Token has expired \d seconds ago$/));
  const CLOCKS_DIFFER_MS = 1_500;

  /** Both frames of the expiry, whether they came before it, and what the socket receives afterwards. */
  async function expiry(config: object) {
    const expiresAt = secondsFromNow(2);
    const client = await join(config, await target.tokenOf('alice', { exp: expiresAt }));
    const frames = [await client.next(), await client.next()];
    return { frames, isEarly: Date.now() < expiresAt * 1000 - CLOCKS_DIFFER_MS, after: await client.rest() };
  }

  test('on time on a public channel, and the socket stays open', async () => {
    const { frames, isEarly, after } = await expiry(PUBLIC);
    expect(frames).toEqual([EXPIRED, CLOSED]);
    expect([isEarly, after]).toEqual([false, []]);
  });

  test.runIf(HAS_DATABASE)('on time on a private channel', async () => {
    await target.grantAll('alice');
    expect((await expiry(PRIVATE)).frames).toEqual([EXPIRED, CLOSED]);
  });

  test('even if it was only the API key of the socket', async () => {
    const client = await target.connect(await target.tokenOf('alice', { exp: secondsFromNow(2) }));
    await client.join(topic, PUBLIC);
    expect(await client.next()).toEqual(EXPIRED);
  });

  test('later when it was renewed in time', async () => {
    const client = await join(PUBLIC, await target.tokenOf('alice', { exp: secondsFromNow(2) }));
    client.send(push(await renewed()));
    await delay(2_200);
    expect(await client.rest(topic)).toEqual([]);
  });
});
