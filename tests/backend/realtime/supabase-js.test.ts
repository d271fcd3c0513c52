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
