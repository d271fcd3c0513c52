// Joining, leaving and what is neither, frame by frame as supabase/realtime 2.129.8 answers.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PGlite } from '@electric-sql/pglite';
import {
  RealtimeServer,
  SERVICE_ROLE_KEY,
  createDatabase,
  fullGrants,
  holdDatabase,
  tokenOf,
  tokenWith,
} from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const CONFIG = {
  broadcast: { ack: true, self: false },
  presence: { key: '', enabled: false },
  postgres_changes: [],
  private: true,
};
const FORBIDDEN = 'You do not have permissions to read from this Channel topic: room1';

let pg: PGlite;
let server: RealtimeServer;
let alice: string;
beforeAll(async () => {
  pg = await createDatabase();
  alice = await tokenOf('alice');
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

describe('a heartbeat', () => {
  test('is answered on any socket', async () => {
    const client = await server.connect();
    client.send([null, '1', 'phoenix', 'heartbeat', {}]);
    expect(await client.next()).toEqual([null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]);
  });

  test('of protocol 1.0.0 is answered in protocol 1.0.0', async () => {
    const client = await server.connect(undefined, '1.0.0');
    client.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' });
    expect(await client.next()).toEqual({
      ref: '1',
      event: 'phx_reply',
      topic: 'phoenix',
      payload: { status: 'ok', response: {} },
    });
  });
});

describe('joining a private topic', () => {
  test('succeeds for whom the policy lets read', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' });
    const client = await server.connect();
    client.send(['1', '1', TOPIC, 'phx_join', { config: CONFIG, access_token: alice }]);
    expect(await client.next()).toEqual([
      '1',
      '1',
      TOPIC,
      'phx_reply',
      { status: 'ok', response: { postgres_changes: [] } },
    ]);
  });

  test('is refused to others, and the topic is unmatched afterwards', async () => {
    const client = await server.connect();
    client.send(['1', '1', TOPIC, 'phx_join', { config: CONFIG, access_token: alice }]);
    client.send(['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await client.next()).toEqual([
      '1',
      '1',
      TOPIC,
      'phx_reply',
      { status: 'error', response: { reason: `Unauthorized: ${FORBIDDEN}` } },
    ]);
    expect(await client.next()).toEqual([
      null,
      '2',
      TOPIC,
      'phx_reply',
      { status: 'error', response: { reason: 'unmatched topic' } },
    ]);
  });

  test('is refused in the same words to somebody who may only write', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'write' });
    const client = await server.connect();
    expect(await client.join(TOPIC, CONFIG, alice)).toEqual({
      status: 'error',
      response: { reason: `Unauthorized: ${FORBIDDEN}` },
    });
  });

  test('is refused in the same words when a policy fails, and says so in the log', async () => {
    await pg.exec(`create policy raising on realtime.messages for select to authenticated using (1 / (select 0) = 1)`);
    try {
      const client = await server.connect();
      expect(await client.join(TOPIC, CONFIG, alice)).toEqual({
        status: 'error',
        response: { reason: `Unauthorized: ${FORBIDDEN}` },
      });
      expect(server.logged).toEqual(['a policy on realtime.messages failed: division by zero']);
    } finally {
      await pg.exec('drop policy raising on realtime.messages');
    }
  });

  test('is refused with a role the database does not know', async () => {
    const client = await server.connect();
    const token = await tokenOf('alice', { role: 'nobody' });
    expect(await client.join(TOPIC, CONFIG, token)).toMatchObject({ status: 'error' });
  });

  test('needs no policy for the service role', async () => {
    const client = await server.connect(SERVICE_ROLE_KEY);
    expect(await client.join(TOPIC, CONFIG)).toMatchObject({ status: 'ok' });
  });

  test('without a token asks with the api key of the socket', async () => {
    await server.grant({ topic: 'room1', who: 'anon', extension: 'broadcast', mode: 'read' });
    const client = await server.connect();
    expect(await client.join(TOPIC, CONFIG)).toMatchObject({ status: 'ok' });
  });

  test('with an api key as token asks with the api key of the socket', async () => {
    const client = await server.connect();
    expect(await client.join(TOPIC, CONFIG, SERVICE_ROLE_KEY)).toMatchObject({ status: 'error' });
  });

  test('shows policies the topic, the extension and nothing else of the message', async () => {
    await pg.exec(`
      create policy seen on realtime.messages for select to authenticated
      using (topic = realtime.topic() and extension = 'broadcast' and not private and event is null and payload is null)
    `);
    try {
      const client = await server.connect();
      expect(await client.join(TOPIC, CONFIG, alice)).toMatchObject({ status: 'ok' });
    } finally {
      await pg.exec('drop policy seen on realtime.messages');
    }
  });

  test('leaves no row behind', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, CONFIG, alice);
    const { rows } = await pg.query('select count(*)::int as n, current_user::text as role from realtime.messages');
    expect(rows).toEqual([{ n: 0, role: 'postgres' }]);
  });
});

describe('joining is refused', () => {
  const refusal = (reason: string) => ({ status: 'error', response: { reason } });

  test('with something that is no token', async () => {
    const client = await server.connect();
    expect(await client.join(TOPIC, CONFIG, 'garbage')).toEqual(
      refusal('MalformedJWT: The token provided is not a valid JWT'),
    );
  });

  test('with a token of another secret', async () => {
    const client = await server.connect();
    const token = await tokenOf('alice', {}, 'another-secret-of-at-least-thirty-two-chars');
    expect(await client.join(TOPIC, CONFIG, token)).toEqual(
      refusal('JwtSignatureError: Failed to validate JWT signature'),
    );
  });

  test('with an expired token, on public topics too', async () => {
    const client = await server.connect();
    const token = await tokenOf('alice', { exp: Math.floor(Date.now() / 1000) - 5 });
    const reply = await client.join(TOPIC, { ...CONFIG, private: false }, token);
    expect(reply).toMatchObject({
      response: { reason: expect.stringMatching(/^InvalidJWTToken: Token has expired [56] seconds ago$/) },
    });
  });

  test('with a token that names no role', async () => {
    const client = await server.connect();
    const token = await tokenWith({ sub: 'alice', exp: Math.floor(Date.now() / 1000) + 60 });
    expect(await client.join(TOPIC, CONFIG, token)).toEqual(
      refusal('InvalidJWTToken: Fields `role` and `exp` are required in JWT'),
    );
  });

  test('without a topic name', async () => {
    const client = await server.connect();
    expect(await client.join('realtime:', CONFIG)).toEqual(refusal('TopicNameRequired: You must provide a topic name'));
  });

  test('with a config that is no object', async () => {
    const client = await server.connect();
    expect(await client.join(TOPIC, 'private')).toMatchObject({
      status: 'error',
      response: { reason: expect.stringMatching(/^UnknownErrorOnChannel: /) },
    });
  });

  test('on a topic of another kind', async () => {
    const client = await server.connect();
    client.send(['1', '1', 'room1', 'phx_join', {}]);
    expect(await client.next()).toEqual([null, '1', 'room1', 'phx_reply', refusal('unmatched topic')]);
  });
});

describe('the answer to a refused join', () => {
  test('comes after the delay and holds up what was sent behind it', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { channelErrorDelayMs: 200 });
    const client = await server.connect();
    const sent = performance.now();
    client.send(['1', '1', TOPIC, 'phx_join', { config: CONFIG, access_token: alice }]);
    client.send([null, '2', 'phoenix', 'heartbeat', {}]);
    expect(await client.next()).toEqual(expect.arrayContaining(['1', TOPIC]));
    expect(performance.now() - sent).toBeGreaterThan(195);
    expect(await client.next()).toEqual(expect.arrayContaining(['2', 'phoenix']));
  });
});

describe('leaving', () => {
  test('is answered and closes the channel', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false }, undefined, '6');
    client.send(['6', '7', TOPIC, 'phx_leave', {}]);
    expect(await client.rest()).toEqual([
      ['6', '7', TOPIC, 'phx_reply', { status: 'ok', response: {} }],
      ['6', '6', TOPIC, 'phx_close', {}],
    ]);
  });

  test('ends the delivery of messages', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false });
    client.send(['1', '2', TOPIC, 'phx_leave', {}]);
    await client.rest();
    const other = await server.connect();
    await other.join(TOPIC, { private: false });
    other.send(['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    await other.rest();
    expect(await client.rest()).toEqual([]);
  });

  test('a topic one is not on succeeds', async () => {
    const client = await server.connect();
    client.send(['1', '2', TOPIC, 'phx_leave', {}]);
    expect(await client.next()).toEqual(['1', '2', TOPIC, 'phx_reply', { status: 'ok', response: {} }]);
  });

  test('an earlier join of a topic does nothing to the present one', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false }, undefined, '1');
    await client.join(TOPIC, { private: false }, undefined, '2');
    await client.rest();
    client.send(['1', '3', TOPIC, 'phx_leave', {}]);
    client.send(['2', '4', TOPIC, 'phx_leave', {}]);
    expect(await client.rest()).toEqual([
      ['2', '4', TOPIC, 'phx_reply', { status: 'ok', response: {} }],
      ['2', '2', TOPIC, 'phx_close', {}],
    ]);
  });
});

describe('a second join of a topic', () => {
  test('is answered first and then closes the first, also between public and private', async () => {
    await server.grant({ topic: 'room1', who: 'alice', extension: 'broadcast', mode: 'read' });
    const client = await server.connect();
    await client.join(TOPIC, { private: false }, undefined, '2');
    client.send(['3', '3', TOPIC, 'phx_join', { config: CONFIG, access_token: alice }]);
    expect(await client.rest()).toEqual([
      ['3', '3', TOPIC, 'phx_reply', { status: 'ok', response: { postgres_changes: [] } }],
      ['2', '2', TOPIC, 'phx_close', {}],
    ]);
  });

  test('waits for what the first was asked and still has to answer', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, CONFIG, alice);
    const letGo = await holdDatabase(pg);
    client.send(['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    client.send(['3', '3', TOPIC, 'phx_join', { config: { private: false } }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    letGo();
    expect(await client.next()).toEqual(['1', '2', TOPIC, 'phx_reply', { status: 'ok', response: {} }]);
    expect(await client.next()).toMatchObject(['3', '3', TOPIC, 'phx_reply', { status: 'ok' }]);
  });

  test('right behind a leave finds the leave answered', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false }, undefined, '1');
    client.send(['1', '2', TOPIC, 'phx_leave', {}]);
    client.send(['3', '3', TOPIC, 'phx_join', { config: { private: false } }]);
    expect(await client.rest()).toEqual([
      ['1', '2', TOPIC, 'phx_reply', { status: 'ok', response: {} }],
      ['1', '1', TOPIC, 'phx_close', {}],
      ['3', '3', TOPIC, 'phx_reply', { status: 'ok', response: { postgres_changes: [] } }],
    ]);
  });
});

describe('what is ignored', () => {
  test.each([
    ['text that is no JSON', '{"topic":'],
    ['JSON that is no message', '{"topic":"phoenix"}'],
    ['an array that is too short', '[null,"1","phoenix"]'],
    ['a binary frame of an unknown kind', Uint8Array.of(9, 1, 1, 1, 1, 1, 1)],
    ['a binary frame that ends too early', Uint8Array.of(3, 1, 1, 200, 1, 0, 0, 49)],
    ['an empty binary frame', new Uint8Array()],
  ])('%s, while the socket stays up', async (_, frame) => {
    const client = await server.connect();
    client.send(frame);
    expect(await client.rest()).toEqual([]);
  });

  test('an unknown event on a joined channel', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false });
    client.send(['1', '2', TOPIC, 'dance', {}]);
    expect(await client.rest()).toEqual([]);
  });
});
