// WebSocket frames of someone who has only the public key. Each is built to keep the event loop busy, which would stop
// everyone's live updates: it is refused before it is parsed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { userBroadcastPush } from '../backend/realtime/support/raw-client.ts';
import {
  type RealtimeEngine,
  RealtimeServer,
  openRealtimeEngine,
} from '../backend/realtime/support/realtime-server.ts';
import { noteParsedJson } from './support/parsed-json.ts';

const TOPIC = 'realtime:lobby';
const PUBLIC = { private: false, broadcast: { self: true, ack: true } };
/** All that is parsed meanwhile are the answers to joins. */
const MAX_PARSED = 1_000;
/**
 * How much dearer than a harmless frame of the same length, for server and sender together, which share this thread. If
 * it were parsed, it would be several times as much.
 */
const MAX_RATIO = 2;

let pg: RealtimeEngine;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await openRealtimeEngine();
  server = await RealtimeServer.start(pg);
});
afterAll(async () => {
  await server.close();
  await pg.close();
});

const members = `{${Array.from({ length: 400_000 }, (_, at) => `"k${at}":0`).join(',')}}`;
const lists = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
const asText = (payload: string) => `["1","2","${TOPIC}","broadcast",${payload}]`;
function asBytes(payload: string): Uint8Array {
  const push = userBroadcastPush('1', '2', TOPIC, 'e', Buffer.from(payload));
  // Says that the bytes are JSON, which receivers parse.
  push[6] = 1;
  return push;
}

type Sender = Awaited<ReturnType<typeof server.connect>>;

/** Milliseconds of this thread until the server has answered. The best of three: a collection of garbage may fall into one. */
async function costOf(frame: string | Uint8Array, answered: (sender: Sender) => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let at = 0; at < 3; at++) {
    const sender = await server.connect();
    await sender.join(TOPIC, PUBLIC);
    const before = process.threadCpuUsage();
    sender.send(frame);
    await answered(sender);
    const { user, system } = process.threadCpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

test.each([
  ['400,000 members', asText(members)],
  ['two million lists in each other', asText(lists)],
  ['400,000 members in a binary frame', asBytes(members.slice(0, 2_900_000))],
  ['a million lists in each other in a binary frame', asBytes(lists.slice(500_000, -500_000))],
])('%s end the socket of their sender, unparsed', async (_, frame) => {
  const reader = await server.connect();
  await reader.join(TOPIC, PUBLIC);
  const parsed = noteParsedJson();
  const cost = await costOf(frame, (sender) => sender.closed);
  expect(parsed.filter((text) => text.length > MAX_PARSED)).toHaveLength(0);
  expect(reader.pending).toEqual([]);
  const harmless = asText(JSON.stringify({ text: 'x'.repeat(frame.length) }));
  expect(cost / (await costOf(harmless, (sender) => sender.next()))).toBeLessThan(MAX_RATIO);
});

test('a large frame with little in it is passed on', async () => {
  const parsed = noteParsedJson();
  const sender = await server.connect();
  await sender.join(TOPIC, PUBLIC);
  const payload = { event: 'e', payload: { text: 'x'.repeat(1_000_000) } };
  sender.send(['1', '2', TOPIC, 'broadcast', payload]);
  expect(await sender.next()).toEqual([null, null, TOPIC, 'broadcast', payload]);
  expect(parsed.some((text) => text.length > MAX_PARSED)).toBe(true);
});

test('frames behind a join that waits stay with their sender, and are handled afterwards', async () => {
  const slow = await RealtimeServer.start(pg, { channelErrorDelayMs: 300 });
  const [sender, other] = [await slow.connect(), await slow.connect()];
  // Refused, since no one may read this private topic.
  sender.send(['1', '1', TOPIC, 'phx_join', { config: { private: true } }]);
  const frame = JSON.stringify([null, '2', 'realtime:none', 'broadcast', { text: 'x'.repeat(1_000_000) }]);
  for (let n = 0; n < 60; n++) sender.send(frame);
  // The server reads as much as it wants meanwhile.
  for (let n = 0; n < 50; n++) await other.rest();
  expect(sender.unsentBytes).toBeGreaterThan(20_000_000);
  expect(await sender.rest()).toHaveLength(61);
  expect(sender.unsentBytes).toBe(0);
  await slow.close();
});
