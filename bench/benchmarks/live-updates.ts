// Measures the gain of live updates: the time from a key press to the other person's document, with and without them, at
// several distances to the server. Without them an edit appears when its row arrives: after the wait for the append, the way
// to the server and the way of the message back.
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms, ratio } from '../figures.ts';
import { percentile } from '../percentiles.ts';
import { Arrivals, livePercent, shownEdits, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

/** One of two people types: slowly, and as fast as people type. */
const CASES: { readonly [name: string]: { readonly everyMs: number; readonly keys: number } } = {
  'a key every 300 ms': { everyMs: 300, keys: 40 },
  'a key every 120 ms': { everyMs: 120, keys: 80 },
};
const WARM_UP_KEYS = 30;
const QUICK_KEYS = 3;
const QUICK_EVERY_MS = 20;

const liveUpdatesAt = (roundTripMs: number): Benchmark => ({
  title: `From a key to the other person’s document, with and without live updates, ${roundTripMs} ms round trip`,
  systems: ['weft', 'weft-rows'],
  rounds: 2,
  setup: { delayMs: roundTripMs / 2 },
  run,
  judge,
});

export const liveUpdates0 = liveUpdatesAt(0);
export const liveUpdates50 = liveUpdatesAt(50);
export const liveUpdates150 = liveUpdatesAt(150);

async function run(context: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  for (const name of Object.keys(CASES)) {
    const { arrivals, live, byRow } = await type(context, name);
    samples[name] = arrivals.latencies;
    values[`${name}: missing`] = arrivals.missing;
    values[`${name}: live`] = live;
    values[`${name}: by row`] = byRow;
  }
  return { samples, values };
}

async function type({ system, isQuick }: Context, name: string) {
  const { everyMs = 0, keys = 0 } = CASES[name] ?? {};
  const people = [await system.open(name, new ClientNetwork()), await system.open(name, new ClientNetwork())];
  const [typist] = people;
  if (typist === undefined) throw new Error('no one types');
  const press = async (arrivals: Arrivals, intervalMs: number, count: number) => {
    await typeEvery(intervalMs, count, () => arrivals.press(typist));
    await until(() => arrivals.missing === 0, 15_000).catch(() => undefined);
    arrivals.stop();
  };
  // Registers the session and compiles the code.
  await press(new Arrivals(people), isQuick ? 5 : 100, isQuick ? 2 : WARM_UP_KEYS);
  await delay(isQuick ? 100 : 1_000);
  const before = shownEdits(people);
  const arrivals = new Arrivals(people);
  await press(arrivals, isQuick ? QUICK_EVERY_MS : everyMs, isQuick ? QUICK_KEYS : keys);
  const after = shownEdits(people);
  for (const person of people) await person.close();
  return { arrivals, live: after.live - before.live, byRow: after.byRow - before.byRow };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const sum = (name: string) => (measured.weft?.values[name] ?? []).reduce((total, value) => total + value, 0);
  const shares = Object.keys(CASES).map((name) => {
    const percent = livePercent(sum(`${name}: live`), sum(`${name}: by row`));
    const figure = `${percent.toFixed(1)} %`;
    return { what: `${name}: keys that live updates showed`, figure, goal: '100 %', isReached: percent === 100 };
  });
  const latencies = Object.keys(CASES).flatMap((name) =>
    [50, 95].map((nth) => {
      const of = (system: 'weft' | 'weft-rows') => percentile(measured[system]?.samples[name] ?? [], nth);
      const [on, off] = [of('weft'), of('weft-rows')];
      const figure = `${ms(on)} with, ${ms(off)} without (${ratio(on, off)})`;
      return { what: `${name}: p${nth}`, figure, goal: '', isReached: null };
    }),
  );
  return [...latencies, ...shares];
}
