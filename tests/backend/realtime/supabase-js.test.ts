// What @supabase/supabase-js makes of our server: the client Weft uses, over real sockets.
import type { PGlite } from '@electric-sql/pglite';
import { type RealtimeChannel, type SupabaseClient, createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ANON_KEY, RealtimeServer, createDatabase, fullGrants, tokenOf } from './support/realtime-server.ts';

let pg: PGlite;
let server: RealtimeServer;
const clients: SupabaseClient[] = [];
beforeAll(async () => {
  pg = await createDatabase();
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
  await server.grant(...fullGrants('room1', 'alice', 'bob'));
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.realtime.disconnect();
  await server.close();
});

type Person = { client: SupabaseClient; setToken: (token: string) => Promise<void> };

async function signedIn(who: string, claims: Record<string, unknown> = {}): Promise<Person> {
  let token = await tokenOf(who, claims);
  const client = createClient(server.url, ANON_KEY, { accessToken: () => Promise.resolve(token) });
  clients.push(client);
  await client.realtime.setAuth();
  return {
    client,
    async setToken(next) {
      token = next;
      await client.realtime.setAuth();
    },
  };
}

/** Everything a channel says, in order, and a way to wait for the next of it. */
class Heard {
  readonly #said: unknown[] = [];
  readonly #waiting: ((value: unknown) => void)[] = [];
  readonly add = (value: unknown) => {
    const next = this.#waiting.shift();
    if (next === undefined) this.#said.push(value);
    else next(value);
  };
  next(): Promise<unknown> {
    return this.#said.length > 0
      ? Promise.resolve(this.#said.shift())
      : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function subscribed(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => channel.subscribe((status) => resolve(status)));
}
const room = ({ client }: Person, config: object = {}) =>
  client.channel('room1', { config: { private: true, ...config } });

test('a member of a private channel is subscribed, a stranger gets an error', async () => {
  expect(await subscribed(room(await signedIn('alice')))).toBe('SUBSCRIBED');
  expect(await subscribed(room(await signedIn('carol')))).toBe('CHANNEL_ERROR');
});

test('bytes and JSON reach the other client, the sender is told when it asks', async () => {
  const [alice, bob] = [room(await signedIn('alice'), { broadcast: { ack: true } }), room(await signedIn('bob'))];
  const heard = new Heard();
  bob.on('broadcast', { event: '*' }, heard.add);
  expect([await subscribed(alice), await subscribed(bob)]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  const bytes = Uint8Array.of(1, 2, 3).buffer;
  expect(await alice.send({ type: 'broadcast', event: 'bytes', payload: bytes })).toBe('ok');
  expect(await alice.send({ type: 'broadcast', event: 'json', payload: { n: 1 } })).toBe('ok');
  expect(await heard.next()).toEqual({ type: 'broadcast', event: 'bytes', payload: bytes });
  expect(await heard.next()).toEqual({ type: 'broadcast', event: 'json', payload: { n: 1 } });
});

test('a send without the right times out', async () => {
  await pg.exec(`delete from public.grants where who = 'alice' and mode = 'write'`);
  const alice = room(await signedIn('alice'), { broadcast: { ack: true } });
  await subscribed(alice);
  expect(await alice.send({ type: 'broadcast', event: 'json', payload: {} }, { timeout: 200 })).toBe('timed out');
});

test('messages from the database come with meta.id, those of clients never', async () => {
  const [alice, bob] = [room(await signedIn('alice')), room(await signedIn('bob'))];
  const heard = new Heard();
  bob.on('broadcast', { event: 'rows' }, heard.add);
  await subscribed(alice);
  await subscribed(bob);
  await pg.exec(`select realtime.send_binary('\\x0102', 'rows', 'room1')`);
  const { rows } = await pg.query<{ id: string }>('select id from realtime.messages');
  expect(await heard.next()).toEqual({
    type: 'broadcast',
    event: 'rows',
    payload: Uint8Array.of(1, 2).buffer,
    meta: { id: rows[0]?.id },
  });
  await alice.send({ type: 'broadcast', event: 'rows', payload: { n: 1 }, meta: { id: 'forged' } });
  expect(await heard.next()).toEqual({ type: 'broadcast', event: 'rows', payload: { n: 1 } });
});

test('presence shows who is there, and who has gone', async () => {
  const [alice, bob] = [await signedIn('alice'), await signedIn('bob')];
  const [hers, his] = [room(alice, { presence: { key: 'alice' } }), room(bob, { presence: { key: 'bob' } })];
  const heard = new Heard();
  his.on('presence', { event: 'join' }, ({ key }) => heard.add(`${key} came`));
  his.on('presence', { event: 'leave' }, ({ key }) => heard.add(`${key} went`));
  hers.on('presence', { event: 'sync' }, () => {});
  await subscribed(his);
  await subscribed(hers);
  expect(await hers.track({ name: 'A' })).toBe('ok');
  expect(await heard.next()).toBe('alice came');
  expect(his.presenceState()).toEqual({ alice: [{ presence_ref: expect.any(String), name: 'A' }] });
  await alice.client.realtime.disconnect();
  expect(await heard.next()).toBe('alice went');
});

test('a renewed token is taken, and one without rights closes the channel for good', async () => {
  const alice = await signedIn('alice');
  const channel = room(alice);
  const heard = new Heard();
  channel.on('system', {}, ({ message }) => heard.add(message));
  channel.subscribe((status) => heard.add(status));
  expect(await heard.next()).toBe('SUBSCRIBED');
  await alice.setToken(await tokenOf('alice', { session_id: '2' }));
  await alice.setToken(await tokenOf('carol'));
  expect(await heard.next()).toBe('You do not have permissions to read from this Channel topic: room1');
  expect(await heard.next()).toBe('CLOSED');
  expect(alice.client.getChannels()).toEqual([]);
});

test('a new channel of the same topic joins right behind the end of the old one', async () => {
  const alice = await signedIn('alice');
  const first = room(alice);
  await subscribed(first);
  void alice.client.removeChannel(first);
  expect(await subscribed(room(alice))).toBe('SUBSCRIBED');
});

test('after the loss of the connection the client comes back by itself', async () => {
  const alice = await signedIn('alice');
  const channel = room(alice);
  const heard = new Heard();
  channel.subscribe((status) => heard.add(status));
  expect(await heard.next()).toBe('SUBSCRIBED');
  const { port } = server;
  await server.close();
  expect(await heard.next()).toBe('CHANNEL_ERROR');
  server = await RealtimeServer.start(pg, {}, port);
  await server.grant(...fullGrants('room1', 'alice'));
  await expect.poll(() => heard.next(), { timeout: 10_000 }).toBe('SUBSCRIBED');
});
