// In a thread of its own: sends requests from one address over as many connections as an address may have, as fast as its limit
// of requests allows, the saved-up burst first. Posts how many answers of each status came.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_LIMITS } from '../../../backend/gateway/limits.ts';
import type { Attack } from './attacks.ts';

type Orders = {
  readonly url: string;
  readonly key: string;
  readonly from: string;
  readonly attacks: readonly Attack[];
  readonly ms: number;
  /** Requests at the start; as many connections, up to the limit. */
  readonly burst: number;
};

const { url, key, from, attacks, ms, burst }: Orders = workerData;
const { requests, connectionsPerAddress } = DEFAULT_LIMITS;
const connections = Math.min(burst, connectionsPerAddress);
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from });
const statuses: Record<string, number> = {};
const startedAt = performance.now();
let sent = 0;

const allowed = () => burst + ((performance.now() - startedAt) / 1_000) * requests.perSecond;

/** Encoded once: 512 bodies of 13 MB that are encoded one by one keep the sender busy instead of the server. */
const encoded = attacks.map((one) => ({
  ...one,
  body: one.body === undefined ? undefined : new TextEncoder().encode(one.body),
}));

function send({ path, method = 'POST', headers = {}, body }: (typeof encoded)[number]): Promise<number> {
  return new Promise((resolve) => {
    const all = { apikey: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
    const outgoing = request(url + path, { method, agent, headers: all }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', () => resolve(0)).end(body);
  });
}

async function attack(): Promise<void> {
  while (performance.now() - startedAt < ms) {
    const next = encoded[sent % encoded.length];
    if (next === undefined || sent >= allowed()) {
      await delay(5);
      continue;
    }
    sent++;
    const status = await send(next);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: connections }, attack));
agent.destroy();
parentPort?.postMessage(statuses);
