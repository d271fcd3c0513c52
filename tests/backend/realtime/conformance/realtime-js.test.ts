// @supabase/realtime-js on our server.
import { type RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test } from 'vitest';
import { HAS_DATABASE, useTarget } from './target.ts';

const target = useTarget();
const { room } = target;
const clients: RealtimeClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
});

async function clientOf(who: string | null) {
  const client = new RealtimeClient(target.socketUrl, { params: { apikey: target.anonKey } });
  clients.push(client);
  await client.setAuth(who === null ? null : await target.tokenOf(who));
  return client;
}

/** Everything that a channel receives, in order, and a way to wait for the next event. */
class ReceivedEvents {
  readonly #unread: unknown[] = [];
  readonly #waiting: ((value: unknown) => void)[] = [];
  readonly add = (value: unknown) => {
    const next = this.#waiting.shift();
    if (next === undefined) this.#unread.push(value);
    else next(value);
  };
  next(): Promise<unknown> {
    return this.#unread.length > 0
      ? Promise.resolve(this.#unread.shift())
      : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const subscribed = (channel: RealtimeChannel): Promise<string> =>
  new Promise((resolve) => channel.subscribe((status) => resolve(status)));

describe('a public channel', () => {
  test('is joined, and JSON reaches the other client', async () => {
    const [alice, bob] = [(await clientOf(null)).channel(room), (await clientOf(null)).channel(room)];
    const received = new ReceivedEvents();
    bob.on('broadcast', { event: '*' }, received.add);
    expect([await subscribed(alice), await subscribed(bob)]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
    expect(await alice.send({ type: 'broadcast', event: 'json', payload: { n: 1 } })).toBe('ok');
    expect(await received.next()).toMatchObject({ type: 'broadcast', event: 'json', payload: { n: 1 } });
  });

  test('shows who is there and who has left', async () => {
    const [alice, bob] = [await clientOf(null), await clientOf(null)];
    const hers = alice.channel(room, { config: { presence: { key: 'alice' } } });
    const his = bob.channel(room, { config: { presence: { key: 'bob' } } });
    const received = new ReceivedEvents();
    his.on('presence', { event: 'join' }, ({ key }) => received.add(`${key} joined`));
    his.on('presence', { event: 'leave' }, ({ key }) => received.add(`${key} left`));
    hers.on('presence', { event: 'sync' }, () => {});
    await subscribed(his);
    await subscribed(hers);
    expect(await hers.track({ name: 'A' })).toBe('ok');
    expect(await received.next()).toBe('alice joined');
    expect(his.presenceState()).toEqual({ alice: [{ presence_ref: expect.any(String), name: 'A' }] });
    await alice.disconnect();
    expect(await received.next()).toBe('alice left');
  });
});

const PRIVATE = { config: { private: true } };

describe.runIf(HAS_DATABASE)('a private channel', () => {
  test('is joined by a member; others get an error', async () => {
    await target.grantAll('alice');
    expect(await subscribed((await clientOf('alice')).channel(room, PRIVATE))).toBe('SUBSCRIBED');
    expect(await subscribed((await clientOf('carol')).channel(room, PRIVATE))).toBe('CHANNEL_ERROR');
  });

  test('delivers bytes and JSON to the other client, and acknowledges to the sender', async () => {
    await target.grantAll('alice', 'bob');
    const acked = { config: { private: true, broadcast: { ack: true } } };
    const alice = (await clientOf('alice')).channel(room, acked);
    const bob = (await clientOf('bob')).channel(room, PRIVATE);
    const received = new ReceivedEvents();
    bob.on('broadcast', { event: '*' }, received.add);
    expect([await subscribed(alice), await subscribed(bob)]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
    const bytes = Uint8Array.of(1, 2, 3).buffer;
    expect(await alice.send({ type: 'broadcast', event: 'bytes', payload: bytes })).toBe('ok');
    expect(await alice.send({ type: 'broadcast', event: 'json', payload: { n: 1 } })).toBe('ok');
    expect(await received.next()).toEqual({ type: 'broadcast', event: 'bytes', payload: bytes });
    expect(await received.next()).toEqual({ type: 'broadcast', event: 'json', payload: { n: 1 } });
  });

  test('lets a send without the right run into its timeout', async () => {
    await target.grant({ who: 'alice', extension: 'broadcast', mode: 'read' });
    const alice = (await clientOf('alice')).channel(room, { config: { private: true, broadcast: { ack: true } } });
    await subscribed(alice);
    expect(await alice.send({ type: 'broadcast', event: 'json', payload: {} }, { timeout: 500 })).toBe('timed out');
  });

  test('delivers messages from the database with meta.id', async () => {
    await target.grantAll('alice');
    const alice = (await clientOf('alice')).channel(room, PRIVATE);
    const received = new ReceivedEvents();
    alice.on('broadcast', { event: 'rows' }, received.add);
    await subscribed(alice);
    await target.sql(`select realtime.send_binary('\\x0102'::bytea, 'rows', $1)`, [room]);
    expect(await received.next()).toEqual({
      type: 'broadcast',
      event: 'rows',
      payload: Uint8Array.of(1, 2).buffer,
      meta: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  test('accepts a renewed token, and is closed for good by one without rights', async () => {
    await target.grantAll('alice');
    const client = await clientOf('alice');
    const channel = client.channel(room, PRIVATE);
    const received = new ReceivedEvents();
    channel.on('system', {}, ({ message }) => received.add(message));
    channel.subscribe((status) => received.add(status));
    expect(await received.next()).toBe('SUBSCRIBED');
    await client.setAuth(await target.tokenOf('alice', { session_id: '2' }));
    await client.setAuth(await target.tokenOf('carol'));
    expect(await received.next()).toBe(`You do not have permissions to read from this Channel topic: ${room}`);
    expect(await received.next()).toBe('CLOSED');
    expect(client.getChannels()).toEqual([]);
  });

  test('can be joined again right after it ended', async () => {
    await target.grantAll('alice');
    const client = await clientOf('alice');
    const first = client.channel(room, PRIVATE);
    await subscribed(first);
    void client.removeChannel(first);
    expect(await subscribed(client.channel(room, PRIVATE))).toBe('SUBSCRIBED');
  });
});
