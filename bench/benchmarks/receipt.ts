// Goal 3: the time from a key press until the page says "Saved", which means that the edit is in the log. Hocuspocus, shown
// for comparison, acknowledges an edit when it is in its server's memory.
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms } from '../figures.ts';
import { percentile } from '../percentiles.ts';
import type { OpenedDocument } from '../systems/system.ts';
import { pressKey, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

const CASES = {
  'alone, slow typing': { people: 1, everyMs: 700, keys: 20 },
  'alone, typing': { people: 1, everyMs: 120, keys: 150 },
  'with company, typing': { people: 2, everyMs: 120, keys: 150 },
} as const;
const QUICK_KEYS = 3;
const QUICK_EVERY_MS = 60;

const receiptBenchmark = (title: string, goalMs: number | null, setup: Benchmark['setup']): Benchmark => ({
  title,
  systems: ['weft', 'hocuspocus'],
  rounds: 2,
  ...(setup === undefined ? {} : { setup }),
  run,
  judge: (measured) => judge(measured, goalMs),
});

export const receipt = receiptBenchmark('From a key to “Saved” (goal 3)', 350, undefined);
export const receiptFar = receiptBenchmark('From a key to “Saved”, 50 ms away (goal 3)', 600, { delayMs: 25 });
export const receiptDisk = receiptBenchmark('From a key to “Saved”, the server’s data on disk', null, { onDisk: true });

async function run({ system, isQuick }: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  for (const [name, { people: count, ...one }] of Object.entries(CASES)) {
    const [keys, everyMs] = isQuick ? [QUICK_KEYS, QUICK_EVERY_MS] : [one.keys, one.everyMs];
    const people: OpenedDocument[] = [];
    for (let i = 0; i < count; i++) people.push(await system.open(name, new ClientNetwork()));
    const [typist] = people;
    if (typist === undefined) continue;
    // Warm-up: registers the session and compiles the code.
    await timesOfReceipts(typist, 3, 20);
    await delay(isQuick ? 100 : 1_000);
    samples[name] = await timesOfReceipts(typist, keys, everyMs);
    for (const person of people) await person.close();
  }
  return { samples, values: {} };
}

/** Edits are acknowledged in the order they were made. */
async function timesOfReceipts(typist: OpenedDocument, keys: number, everyMs: number): Promise<number[]> {
  const { receipts } = typist;
  if (receipts === null) throw new Error('this system gives no receipts');
  const pressed: number[] = [];
  const times: number[] = [];
  receipts.subscribe(() => {
    const now = performance.now();
    const acknowledged = pressed.length - receipts.unsent();
    while (times.length < acknowledged) times.push(now - (pressed[times.length] ?? now));
  });
  await typeEvery(everyMs, keys, () => {
    // Note the time first: the receipt may change during the key press.
    pressed.push(performance.now());
    pressKey(typist);
  });
  await until(() => times.length === keys);
  return times;
}

function judge(measured: ResultBySystem, goalMs: number | null): readonly Line[] {
  return Object.keys(CASES).flatMap((name) => {
    const [own, peer] = [measured.weft?.samples[name] ?? [], measured.hocuspocus?.samples[name] ?? []];
    const p95 = percentile(own, 95);
    return [
      {
        what: `${name}: p95`,
        figure: `${ms(p95)} (p50 ${ms(percentile(own, 50))}; Hocuspocus’s memory ${ms(percentile(peer, 95))})`,
        goal: goalMs === null ? '' : `≤ ${goalMs} ms`,
        isReached: goalMs === null ? null : p95 <= goalMs,
      },
    ];
  });
}
