// With realtime-js itself, on a socket that answers heartbeats as long as it lives.
import { RealtimeClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ANSWERS_WITHIN_MS, Heartbeats } from 'weft-sync/supabase/realtime/heartbeats.ts';

const INTERVAL_MS = 50_000;
const ROUND_TRIP_MS = 500;

/** The seconds at which a heartbeat was sent, and those at which the client closed the connection. */
const sent: number[] = [];
const closed: number[] = [];
let isAlive = true;
let start = 0;
const seconds = () => Math.round((performance.now() - start) / 1_000);

class Socket extends EventTarget {
  readyState = 0;
  binaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: ((event: { readonly code: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly bufferedAmount = 0;
  constructor() {
    super();
    setTimeout(() => {
      this.readyState = 1;
      this.onopen?.();
    });
  }
  send(data: string): void {
    const [, ref, topic, event] = JSON.parse(data);
    if (event !== 'heartbeat') return;
    sent.push(seconds());
    const reply = { data: JSON.stringify([null, ref, topic, 'phx_reply', { status: 'ok', response: {} }]) };
    if (isAlive) setTimeout(() => this.onmessage?.(reply), ROUND_TRIP_MS);
  }
  close(code = 1000): void {
    closed.push(seconds());
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

async function connected() {
  const realtime = new RealtimeClient('ws://weft.test/realtime/v1', {
    params: { apikey: 'key' },
    transport: Socket as never,
    heartbeatIntervalMs: INTERVAL_MS,
  });
  const heartbeats = new Heartbeats(realtime);
  realtime.connect();
  await vi.advanceTimersByTimeAsync(0);
  start = performance.now();
  return heartbeats;
}
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  closed.length = 0;
  isAlive = true;
});
afterEach(() => void vi.useRealTimers());

test('while nothing is sent, only realtime-js sends heartbeats', async () => {
  await connected();
  await after(4 * INTERVAL_MS);
  expect([sent, closed]).toEqual([[50, 101, 151], []]);
});

test('while messages are sent, the connection proves itself every 20 s', async () => {
  const heartbeats = await connected();
  await after(INTERVAL_MS + 1_000);
  for (let second = 0; second < 60; second++) {
    heartbeats.messageSent();
    await after(1_000);
  }
  expect([sent, closed]).toEqual([[50, 71, 92], []]);
});

test('a dead connection is given up 40 s after a message, or 20 s after a heartbeat', async () => {
  const heartbeats = await connected();
  await after(INTERVAL_MS + 1_000);
  isAlive = false;
  heartbeats.messageSent();
  await after(2 * ANSWERS_WITHIN_MS);
  expect([sent, closed]).toEqual([[50, 71], [91]]);
});

test('a connection that dies before its first heartbeat is given up 40 s after a message, too', async () => {
  const heartbeats = await connected();
  isAlive = false;
  await after(5_000);
  heartbeats.messageSent();
  await after(2 * ANSWERS_WITHIN_MS);
  expect([sent, closed]).toEqual([[25], [45]]);
});

test('at rest a dead connection is given up 20 s after the next heartbeat', async () => {
  await connected();
  isAlive = false;
  await after(INTERVAL_MS + ANSWERS_WITHIN_MS);
  expect(closed).toEqual([70]);
});

test.each([0, 9, 10, 29, 30, 31, 49])(
  'a message %i s after a heartbeat costs no connection that works',
  async (second) => {
    const heartbeats = await connected();
    await after(INTERVAL_MS + ROUND_TRIP_MS + 1_000 * second - 100);
    heartbeats.messageSent();
    await after(2 * INTERVAL_MS);
    expect(closed).toEqual([]);
  },
);

test.each([0, 9, 10, 29, 30, 31, 49])(
  'a message %i s after the connection opened costs no connection that works',
  async (second) => {
    const heartbeats = await connected();
    await after(1_000 * second);
    heartbeats.messageSent();
    await after(2 * INTERVAL_MS);
    expect(closed).toEqual([]);
  },
);
