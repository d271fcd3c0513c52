// The life of a socket: idle, without channels, too slow, and when the server closes.
import { type Socket, connect } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import type { RealtimeOptions } from '../../../backend/realtime/limits/options.ts';
import { userBroadcastPush } from './support/raw-client.ts';
import { ANON_KEY, RealtimeServer, openRealtimeEngine } from './support/realtime-server.ts';

const TOPIC = 'realtime:room1';

let pg: PostgresEngine;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await openRealtimeEngine();
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

async function restart(options: Partial<RealtimeOptions>): Promise<void> {
  await server.close();
  server = await RealtimeServer.start(pg, options);
}
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('an idle socket', () => {
  test('is closed with 1000 after its last frame', async () => {
    await restart({ idleTimeoutMs: 500 });
    const client = await server.connect();
    await wait(200);
    // Taken before the frame is sent: its answer may be late on a busy machine, and the server's wait begins with the
    // frame.
    const last = performance.now();
    await client.rest();
    expect(await client.closed).toBe(1000);
    expect(performance.now() - last).toBeGreaterThan(495);
  });

  test('stays while it sends heartbeats', async () => {
    await restart({ idleTimeoutMs: 1000 });
    const client = await server.connect();
    for (let n = 0; n < 5; n++) {
      await wait(300);
      expect(await client.rest()).toEqual([]);
    }
  });
});

describe('the sweep', () => {
  test('closes sockets without a channel and leaves the others open', async () => {
    await restart({ emptySocketSweepMs: 50 });
    const member = await server.connect();
    await member.join(TOPIC, { private: false });
    const empty = await server.connect();
    expect(await empty.closed).toBe(1006);
    await wait(120);
    expect(await member.rest()).toEqual([]);
  });
});

test('a receiver that does not read is closed before it uses up the memory', async () => {
  await restart({ maxBufferedBytes: 4_000_000 });
  const stuck = await openWithoutReading(server.port);
  const sender = await server.connect();
  await sender.join(TOPIC, { private: false });
  for (let n = 0; n < 20; n++) sender.send(userBroadcastPush('1', '2', TOPIC, 'big', new Uint8Array(1_000_000)));
  await sender.rest(TOPIC);
  stuck.resume();
  const ended = await new Promise((resolve) => stuck.once('close', () => resolve('dropped')));
  expect(ended).toBe('dropped');
});

describe('closing the server', () => {
  test('closes every socket with 1012', async () => {
    const [first, second] = [await server.connect(), await server.connect()];
    await first.join(TOPIC, { private: false });
    await server.close();
    expect(await Promise.all([first.closed, second.closed])).toEqual([1012, 1012]);
  });

  test('does not wait for a client that vanished', { timeout: 20_000 }, async () => {
    const stuck = await openWithoutReading(server.port);
    // `ws` would wait for 30 seconds.
    await expect(server.close()).resolves.toBeUndefined();
    stuck.destroy();
  });

  test('does not wait for a pending refusal', async () => {
    await restart({ connectErrorDelayMs: 60_000, channelErrorDelayMs: 60_000 });
    const refused = server.connect('garbage').catch((error: unknown) => String(error));
    const client = await server.connect();
    client.send(['1', '1', TOPIC, 'phx_join', { config: { private: true } }]);
    await client.rest(TOPIC).catch(() => {});
    await server.close();
    expect(await refused).toBe('Error: socket hang up');
  });

  test('is a lost connection for supabase-js, which rejoins by itself when a server is back', async () => {
    const { port, url } = server;
    const { realtime } = createClient(url, ANON_KEY);
    const statuses: string[] = [];
    realtime.channel('room1').subscribe((status) => statuses.push(status));
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED']);
    await server.close();
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR']);
    server = await RealtimeServer.start(pg, {}, port);
    await expect.poll(() => statuses.at(-1), { timeout: 10_000 }).toBe('SUBSCRIBED');
    await realtime.disconnect();
  });

  test('leaves the database usable, without listeners', async () => {
    const client = await server.connect();
    await client.join(TOPIC, { private: false });
    await server.close();
    const { rows } = await pg.query('select pg_listening_channels() as channel');
    expect(rows).toEqual([]);
  });
});

/** A member of the topic whose device no longer reads. */
function openWithoutReading(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        [
          'GET /realtime/v1/websocket?apikey=sb_publishable_test&vsn=2.0.0 HTTP/1.1',
          'host: localhost',
          'connection: upgrade',
          'upgrade: websocket',
          'sec-websocket-version: 13',
          'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
          '',
          '',
        ].join('\r\n'),
      );
    });
    socket.once('data', () => {
      const join = Buffer.from(JSON.stringify(['1', '1', TOPIC, 'phx_join', { config: { private: false } }]));
      // A short masked text frame; a mask of zeros leaves the text unchanged.
      socket.write(Buffer.concat([Uint8Array.of(0x81, 0x80 | join.length, 0, 0, 0, 0), join]));
      socket.once('data', () => {
        socket.pause();
        resolve(socket);
      });
    });
  });
}
