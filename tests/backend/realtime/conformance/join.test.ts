// Joining and leaving, frame by frame, and the frames that the server ignores.
import { describe, expect, test } from 'vitest';
import { HAS_DATABASE, secondsFromNow, useTarget } from './target.ts';

const target = useTarget();
const { room, topic } = target;
const PUBLIC = { private: false };
const PRIVATE = { private: true };
const OK = { status: 'ok', response: { postgres_changes: [] } };
const refusal = (reason: unknown) => ({ status: 'error', response: { reason } });
const FORBIDDEN = refusal(`Unauthorized: You do not have permissions to read from this Channel topic: ${room}`);

describe('a heartbeat', () => {
  test('gets a reply on any socket', async () => {
    const client = await target.connect();
    client.send([null, '1', 'phoenix', 'heartbeat', {}]);
    expect(await client.next()).toEqual([null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]);
  });
});

test('anyone can join a public topic', async () => {
  const client = await target.connect();
  client.send(['1', '1', topic, 'phx_join', { config: PUBLIC }]);
  expect(await client.next()).toEqual(['1', '1', topic, 'phx_reply', OK]);
});

describe.runIf(HAS_DATABASE)('joining a private topic', () => {
  test('succeeds when the policy allows reading', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'read' });
    const client = await target.connect();
    client.send(['1', '1', topic, 'phx_join', { config: PRIVATE, access_token: await target.tokenOf('alice') }]);
    expect(await client.next()).toEqual(['1', '1', topic, 'phx_reply', OK]);
  });

  test('is refused with the same words when the policy allows only writing', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'write' });
    const client = await target.connect();
    expect(await client.join(topic, PRIVATE, await target.tokenOf('alice'))).toEqual(FORBIDDEN);
  });

  test('is refused with the same words when a policy fails', async () => {
    await target.exec(
      `create policy realtime_test_raising on realtime.messages for select to authenticated using (1 / (select 0) = 1)`,
    );
    try {
      const client = await target.connect();
      expect(await client.join(topic, PRIVATE, await target.tokenOf('alice'))).toEqual(FORBIDDEN);
    } finally {
      await target.exec('drop policy realtime_test_raising on realtime.messages');
    }
  });

  test('needs no policy for the service role', async () => {
    const client = await target.connect(target.serviceKey);
    expect(await client.join(topic, PRIVATE)).toEqual(OK);
  });

  test('without a token uses the API key of the socket', async () => {
    await target.grant({ who: 'anon', extension: 'broadcast', mode: 'read' });
    const client = await target.connect();
    expect(await client.join(topic, PRIVATE)).toEqual(OK);
  });

  test('with an API key as token uses the API key of the socket', async () => {
    await target.grant({ who: 'anon', extension: 'broadcast', mode: 'read' });
    const client = await target.connect();
    expect(await client.join(topic, PRIVATE, 'sb_publishable_of_nobody')).toEqual(OK);
  });

  test('shows policies only the topic and the extension of the message', async () => {
    await target.exec(`
      create policy realtime_test_seen on realtime.messages for select to authenticated
      using (topic = realtime.topic() and extension = 'broadcast' and not private and event is null and payload is null)
    `);
    try {
      const client = await target.connect();
      expect(await client.join(topic, PRIVATE, await target.tokenOf('alice'))).toEqual(OK);
    } finally {
      await target.exec('drop policy realtime_test_seen on realtime.messages');
    }
  });
});

describe('joining is refused', () => {
  test('without a right, and the topic is unmatched afterwards', async () => {
    const client = await target.connect();
    client.send(['1', '1', topic, 'phx_join', { config: PRIVATE, access_token: await target.tokenOf('alice') }]);
    client.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await client.next()).toEqual(['1', '1', topic, 'phx_reply', FORBIDDEN]);
    expect(await client.next()).toEqual([null, '2', topic, 'phx_reply', refusal('unmatched topic')]);
  });

  test('with something that is not a token', async () => {
    const client = await target.connect();
    expect(await client.join(topic, PRIVATE, 'garbage')).toEqual(
      refusal('MalformedJWT: The token provided is not a valid JWT'),
    );
  });

  test('with a token signed with another secret', async () => {
    const client = await target.connect();
    const token = await target.tokenOf('alice', {}, 'another-secret-of-at-least-thirty-two-chars');
    expect(await client.join(topic, PRIVATE, token)).toEqual(
      refusal('JwtSignatureError: Failed to validate JWT signature'),
    );
  });

  test('with an expired token, on public topics too', async () => {
    const client = await target.connect();
    const token = await target.tokenOf('alice', { exp: secondsFromNow(-5) });
    expect(await client.join(topic, PUBLIC, token)).toEqual(
      refusal(expect.stringMatching(/^InvalidJWTToken: Token has expired \d+ seconds ago$/)),
    );
  });

  test('with a token without a role', async () => {
    const client = await target.connect();
    const token = await target.tokenWith({ sub: 'alice', exp: secondsFromNow(60) });
    expect(await client.join(topic, PRIVATE, token)).toEqual(
      refusal('InvalidJWTToken: Fields `role` and `exp` are required in JWT'),
    );
  });

  test('without a topic name', async () => {
    const client = await target.connect();
    expect(await client.join('realtime:', PUBLIC)).toEqual(refusal('TopicNameRequired: You must provide a topic name'));
  });

  test('for a topic with another prefix, at once', async () => {
    const client = await target.connect();
    client.send(['1', '1', 'room1', 'phx_join', {}]);
    expect(await client.next()).toEqual([null, '1', 'room1', 'phx_reply', refusal('unmatched topic')]);
  });

  test('after the delay, and later joins of the socket wait for it too', async () => {
    const client = await target.connect();
    const sent = performance.now();
    client.send(['1', '1', topic, 'phx_join', { config: PRIVATE, access_token: 'garbage' }]);
    client.send(['2', '2', `${topic}-other`, 'phx_join', { config: PUBLIC }]);
    expect(await client.next()).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'error' }]);
    expect(performance.now() - sent).toBeGreaterThan(target.facts.channelErrorDelayMs - 10);
    expect(await client.next()).toEqual(['2', '2', `${topic}-other`, 'phx_reply', OK]);
  });
});

describe('leaving', () => {
  test('gets a reply and closes the channel', async () => {
    const client = await target.connect();
    await client.join(topic, PUBLIC, undefined, '6');
    client.send(['6', '7', topic, 'phx_leave', {}]);
    expect(await client.rest()).toEqual([
      ['6', '7', topic, 'phx_reply', { status: 'ok', response: {} }],
      ['6', '6', topic, 'phx_close', {}],
    ]);
  });

  test('ends the delivery of messages', async () => {
    const [client, other] = [await target.connect(), await target.connect()];
    await client.join(topic, PUBLIC);
    client.send(['1', '2', topic, 'phx_leave', {}]);
    await client.rest();
    await other.join(topic, PUBLIC);
    other.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    await other.rest();
    expect(await client.rest()).toEqual([]);
  });

  test('a topic that was not joined succeeds', async () => {
    const client = await target.connect();
    client.send(['1', '2', topic, 'phx_leave', {}]);
    expect(await client.next()).toEqual(['1', '2', topic, 'phx_reply', { status: 'ok', response: {} }]);
  });
});

describe('a second join of a topic on one socket', () => {
  test.each([
    ['public after public', PUBLIC, PUBLIC],
    ['otherwise shaped after public', PUBLIC, { ...PUBLIC, broadcast: { self: true } }],
  ])('%s gets its reply, then the first is closed', async (_, first, second) => {
    const client = await target.connect();
    await client.join(topic, first, undefined, '2');
    client.send(['3', '3', topic, 'phx_join', { config: second }]);
    expect(await client.rest()).toEqual([
      ['3', '3', topic, 'phx_reply', OK],
      ['2', '2', topic, 'phx_close', {}],
    ]);
  });

  test.runIf(HAS_DATABASE)('private after public replaces it: there is only one channel', async () => {
    await target.grantAll('alice');
    const client = await target.connect();
    await client.join(topic, PUBLIC, undefined, '2');
    client.send(['3', '3', topic, 'phx_join', { config: PRIVATE, access_token: await target.tokenOf('alice') }]);
    expect(await client.rest(topic, '3')).toEqual([
      ['3', '3', topic, 'phx_reply', OK],
      ['2', '2', topic, 'phx_close', {}],
    ]);
  });
});

describe('the server ignores, and keeps the socket open:', () => {
  test.each([
    ['text that is no JSON', '{"topic":'],
    ['JSON that is no message', '{"topic":"phoenix"}'],
    ['an array that is too short', '[null,"1","phoenix"]'],
    ['a binary frame of an unknown kind', Uint8Array.of(9, 1, 1, 1, 1, 1, 1)],
    ['a binary frame that ends too early', Uint8Array.of(3, 1, 1, 200, 1, 0, 0, 49)],
  ])('%s', async (_, frame) => {
    const client = await target.connect();
    client.send(frame);
    expect(await client.rest()).toEqual([]);
  });

  test('an unknown event on a joined channel', async () => {
    const client = await target.connect();
    await client.join(topic, PUBLIC);
    client.send(['1', '2', topic, 'dance', {}]);
    expect(await client.rest()).toEqual([]);
  });
});
