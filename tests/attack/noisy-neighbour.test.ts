// Live updates while someone with only the public key does their worst within the limits of requests: 512 connections, a burst
// of 1,000 requests and 200 a second. `npm test` only checks that all kinds of requests get an answer; `npm run attack` measures
// each kind and all of them together.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../backend/gateway/limits.ts';
import { AttackedServer } from './support/attacked-server.ts';
import { ATTACKS, type Attack } from './support/attacks.ts';
import { IS_LONG } from './support/is-long.ts';

const KIND_MS = IS_LONG ? 2_000 : 50;
const ALL_MS = IS_LONG ? 60_000 : 100;
const BURST = IS_LONG ? DEFAULT_LIMITS.requests.burst : 50;
const TIMEOUT_MS = 2 * ALL_MS + 60_000;
const GOAL_MS = IS_LONG ? 50 : Number.POSITIVE_INFINITY;

let server: AttackedServer;
let meter: Worker;
const thread = (name: string, workerData: object) =>
  new Worker(new URL(`support/${name}.ts`, import.meta.url), { workerData });

beforeAll(async () => {
  server = await AttackedServer.start();
  meter = thread('broadcast-meter', server.place);
  await once(meter, 'message');
});
afterAll(async () => {
  await meter.terminate();
  await server.close();
});

/** The times of the broadcasts since the last call, in order of length. */
async function broadcastTimes(): Promise<readonly number[]> {
  const answered = once(meter, 'message');
  meter.postMessage('times');
  const [times] = await answered;
  return times.toSorted((one: number, other: number) => one - other);
}
const share = (sorted: readonly number[], part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;

async function attack(name: string, from: string, attacks: readonly Attack[], ms: number): Promise<number> {
  await broadcastTimes();
  const [statuses] = await once(thread('attacker', { ...server.place, from, attacks, ms, burst: BURST }), 'message');
  const times = await broadcastTimes();
  expect(times.length).toBeGreaterThan(0);
  const [p50, p99, max] = [0.5, 0.99, 1].map((part) => share(times, part).toFixed(1));
  if (IS_LONG) process.stdout.write(`${name}: p50 ${p50}, p99 ${p99}, max ${max} ms ${JSON.stringify(statuses)}\n`);
  expect(statuses).not.toHaveProperty('500');
  return share(times, 0.99);
}

test.each(Object.entries(ATTACKS).map(([kind, attacks], at) => [kind, attacks, `127.0.1.${at + 1}`] as const))(
  'a burst of requests gets answers: %s',
  async (kind, attacks, from) => {
    expect(await attack(kind, from, attacks, KIND_MS)).toBeGreaterThan(0);
  },
);

test(
  'one address that sends all of that for a minute does not delay broadcasts: p99 below 50 ms',
  async () => {
    expect(await attack('all', '127.0.2.1', Object.values(ATTACKS).flat(), ALL_MS)).toBeLessThan(GOAL_MS);
  },
  TIMEOUT_MS,
);
