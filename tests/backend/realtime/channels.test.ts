// Tests of channels that the conformance suite cannot run against another server: our choices where Supabase Realtime
// leaves them open, our log, what remains in the database, and the behaviour while the database is busy.
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import type { RawClient } from './support/raw-client.ts';
import {
  ANON_KEY,
  RealtimeServer,
  openRealtimeEngine,
  fullGrants,
  holdGrants,
  tokenOf,
} from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';
const PUBLIC = { private: false };
const PRIVATE = { private: true, broadcast: { ack: true } };
const FORBIDDEN = 'You do not have permissions to read from this Channel topic: room1';
const A_REF: unknown = expect.stringMatching(/^[\w-]{16}$/);

let pg: PostgresEngine;
let server: RealtimeServer;
let alice: string;
let bob: string;
/** Another token for alice. */
let renewed: string;
beforeAll(async () => {
  pg = await openRealtimeEngine();
  alice = await tokenOf('alice');
  bob = await tokenOf('bob');
  renewed = await tokenOf('alice', { session_id: '2' });
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

async function join(config: object, token?: string, topic = TOPIC): Promise<RawClient> {
  const client = await server.connect();
  expect(await client.join(topic, config, token)).toMatchObject({ status: 'ok' });
  return client;
}
const config = (key: string, options: { enabled?: boolean; private?: boolean } = {}) => ({
  private: options.private ?? false,
  presence: { key, enabled: options.enabled ?? true },
});
/** Joins and reads the presence_state. */
async function joinPresence(key: string, options: { private?: boolean; token?: string } = {}): Promise<RawClient> {
  const client = await join(config(key, options), options.token);
  expect(await client.next()).toMatchObject(['1', null, TOPIC, 'presence_state', {}]);
  return client;
}
const hi = (n: number) => ['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: { n } }];
const track = (payload: unknown, ref = '2') => ['1', ref, TOPIC, 'presence', { event: 'track', payload }];
const diff = (joins: object, leaves: object) => [null, null, TOPIC, 'presence_diff', { joins, leaves }];
const ok = (ref: string) => ['1', ref, TOPIC, 'phx_reply', { status: 'ok', response: {} }];
const push = (token: unknown) => ['1', '3', TOPIC, 'access_token', { access_token: token }];
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const system = (message: unknown) => [
  '1',
  null,
  TOPIC,
  'system',
  { message, status: 'error', extension: 'system', channel: 'room1' },
];

describe('joining', () => {
  test('is refused with the same words when a policy fails, and the failure is logged', async () => {
    await pg.exec(`create policy raising on realtime.messages for select to authenticated using (1 / (select 0) = 1)`);
    try {
      const client = await server.connect();
      expect(await client.join(TOPIC, PRIVATE, alice)).toEqual({
        status: 'error',
        response: { reason: `Unauthorized: ${FORBIDDEN}` },
      });
      expect(server.logged).toEqual(['a policy on realtime.messages failed: division by zero']);
    } finally {
      await pg.exec('drop policy raising on realtime.messages');
    }
  });

  test.each(['nobody', 'postgres', 'supabase_admin', ''])('is refused for the role “%s” in a token', async (role) => {
    const client = await server.connect();
    const reason = 'The role in the JWT is not a role of the API';
    expect(await client.join(TOPIC, PRIVATE, await tokenOf('alice', { role }))).toEqual({
      status: 'error',
      response: { reason: `InvalidJWTToken: ${reason}` },
    });
    await server.grant(...fullGrants('room1', 'alice'));
    expect(await client.join(TOPIC, PRIVATE, alice, '2')).toMatchObject({ status: 'ok' });
    client.send(['2', null, TOPIC, 'access_token', { access_token: await tokenOf('alice', { role }) }]);
    expect(await client.upTo('phx_close')).toContainEqual(['2', ...system(reason).slice(1)]);
  });

  test('for changes of tables is refused, with an error that supabase-js shows', async () => {
    const { realtime } = createClient(server.url, ANON_KEY);
    const refused = new Promise<unknown[]>((resolve) => {
      realtime
        .channel('room1', { config: { private: true } })
        .on('postgres_changes', { event: '*', schema: 'public', table: 'documents' }, () => undefined)
        .subscribe((...outcome) => resolve(outcome));
    });
    const message = 'PostgresChangesNotSupported: This server does not send postgres_changes';
    expect(await refused).toEqual(['CHANNEL_ERROR', expect.objectContaining({ message })]);
    await realtime.disconnect();
  });

  test('for a replay of messages is refused', async () => {
    const client = await server.connect();
    expect(await client.join(TOPIC, { ...PRIVATE, broadcast: { replay: { since: 0 } } }, alice)).toEqual({
      status: 'error',
      response: { reason: 'UnableToReplayMessages: This server does not replay messages' },
    });
  });

  test('leaves no row behind', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, PRIVATE, alice);
    const { rows } = await pg.query('select count(*)::int as n, current_user::text as role from realtime.messages');
    expect(rows).toEqual([{ n: 0, role: 'supabase_admin' }]);
  });

  test('works with a config that is not an object', async () => {
    const client = await server.connect();
    expect(await client.join(TOPIC, 'private')).toMatchObject({
      status: 'error',
      response: { reason: expect.stringMatching(/^UnknownErrorOnChannel: /) },
    });
  });
});

describe('a second join of a topic', () => {
  test('messages of an earlier join do not affect the current one', async () => {
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

  test('waits for the pending replies of the first', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, PRIVATE, alice);
    const releaseGrants = await holdGrants(pg);
    client.send(['1', '2', TOPIC, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    client.send(['3', '3', TOPIC, 'phx_join', { config: { private: false } }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    releaseGrants();
    expect(await client.next()).toEqual(['1', '2', TOPIC, 'phx_reply', { status: 'ok', response: {} }]);
    expect(await client.next()).toMatchObject(['3', '3', TOPIC, 'phx_reply', { status: 'ok' }]);
  });

  test('right after a leave comes after the reply to the leave', async () => {
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

describe('a broadcast', () => {
  test('cannot imitate the mark of a message from the database', async () => {
    const [sender, receiver] = [await join(PUBLIC), await join(PUBLIC)];
    const message = { type: 'broadcast', event: 'rows', payload: { n: 1 } };
    sender.send(['1', '2', TOPIC, 'broadcast', { ...message, meta: { id: 'forged' } }]);
    expect(await receiver.next()).toEqual([null, null, TOPIC, 'broadcast', message]);
  });

  test('in a binary frame does not reach a topic above 255 bytes; one in text does', async () => {
    const topic = `realtime:${'x'.repeat(250)}`;
    const [sender, receiver] = [await join(PUBLIC, undefined, topic), await join(PUBLIC, undefined, topic)];
    await pg.query(`select realtime.send('{}', 'hi', $1, false)`, [topic.slice('realtime:'.length)]);
    sender.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    expect(await receiver.next()).toMatchObject([null, null, topic, 'broadcast', {}]);
  });

  test('leaves no row behind when it asks the policies', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const sender = await join({ ...PRIVATE, broadcast: { ack: true } }, alice);
    sender.send(hi(1));
    await sender.next();
    const { rows } = await pg.query('select count(*)::int as n from realtime.messages');
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('presence', () => {
  test('keeps keys and fields with any name', async () => {
    const sender = await joinPresence('__proto__');
    sender.send('["1","2","realtime:room1","presence",{"event":"track","payload":{"__proto__":1,"phx_ref":"forged"}}]');
    const [frame] = await sender.rest(TOPIC);
    expect(JSON.stringify(frame)).toMatch(
      /\{"joins":\{"__proto__":\{"metas":\[\{"__proto__":1,"phx_ref":"(?!forged)[\w-]{16}"\}\]\}\}/,
    );
  });

  test('counts calls anew when the window has ended', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { presenceWindowMs: 50 });
    const sender = await joinPresence('ka');
    for (let n = 1; n <= 5; n++) sender.send(track({ n }, `${n}`));
    await sender.rest(TOPIC);
    await new Promise((resolve) => setTimeout(resolve, 60));
    sender.send(track({ n: 6 }, '6'));
    expect(await sender.rest(TOPIC)).toContainEqual(ok('6'));
  });

  test('shows no one to a client without the right to read presence', async () => {
    await server.grant(
      { topic: 'room1', who: 'bob', extension: 'broadcast', mode: 'read' },
      ...fullGrants('room1', 'alice'),
    );
    const watcher = await server.connect();
    expect(await watcher.join(TOPIC, config('kb', { private: true }), bob)).toMatchObject({ status: 'ok' });
    const client = await joinPresence('ka', { private: true, token: alice });
    client.send(track({ n: 1 }));
    await client.rest(TOPIC);
    expect(await watcher.rest(TOPIC)).toEqual([]);
  });

  test('asks for the right to read when a track turns it on', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await server.connect();
    await client.join(TOPIC, config('ka', { private: true, enabled: false }), alice);
    client.send(track({ n: 1 }));
    const metas = { ka: { metas: [{ phx_ref: A_REF, n: 1 }] } };
    expect(await client.rest(TOPIC)).toEqual([diff(metas, {}), ok('2'), ['1', null, TOPIC, 'presence_state', metas]]);
  });

  test('is removed when the socket closes while the policies are checked', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const other = await joinPresence('ky', { private: true, token: alice });
    const dying = await joinPresence('kz', { private: true, token: alice });
    const releaseGrants = await holdGrants(pg);
    dying.send(track({ n: 1 }));
    await dying.rest();
    dying.end();
    await new Promise((resolve) => setTimeout(resolve, 50)); // until the server notices
    releaseGrants();
    const client = await server.connect();
    await client.join(TOPIC, config('kb', { private: true }), alice);
    expect(await client.next()).toEqual(['1', null, TOPIC, 'presence_state', {}]);
    expect(await other.rest()).toEqual([]);
  });
});

describe('a token', () => {
  test('that is a number is ignored', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await join(PRIVATE, alice);
    await pg.exec('delete from public.grants');
    client.send(push(7));
    expect(await client.rest(TOPIC)).toEqual([]);
  });

  test('does not expire while a new one is verified', async () => {
    await server.grant(...fullGrants('room1', 'alice'));
    const client = await join(PRIVATE, await tokenOf('alice', { exp: secondsFromNow(1) }));
    const releaseGrants = await holdGrants(pg);
    client.send(push(renewed));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    releaseGrants();
    expect(await client.rest(TOPIC)).toEqual([]);
  });

  test('that lives longer than a timer can wait expires in steps', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { tokenCheckMs: 20 });
    // The current second may be nearly over.
    const client = await join({ private: false }, await tokenOf('alice', { exp: secondsFromNow(2) }));
    expect(await client.next()).toEqual(system('Token has expired 0 seconds ago'));
  });
});
