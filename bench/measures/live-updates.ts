// What live updates are worth: from a key to the other person's document, with them and without, at several distances.
// Without them an edit is seen when its row arrives: two legs of a call and one of a message, and the wait for the append.
import { setTimeout as delay } from 'node:timers/promises';
import { ClientNetwork } from '../client-network.ts';
import { ms, ratio } from '../figures.ts';
import type { BySystem, Context, Figures, Line, Measure } from '../measure.ts';
import { percentile } from '../percentiles.ts';
import { Arrivals, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

const CASE = '2 people, 1 types';
const EVERY_MS = 300;
const KEYS = 40;
const WARM_UP_KEYS = 30;
const QUICK_KEYS = 3;
const QUICK_EVERY_MS = 20;

const measureAt = (roundTripMs: number): Measure => ({
  title: `From a key to the other person’s document, with and without live updates, ${roundTripMs} ms round trip`,
  systems: ['weft', 'weft-rows'],
  rounds: 2,
  place: { delayMs: roundTripMs / 2 },
  run,
  judge,
});

export const liveUpdates0 = measureAt(0);
export const liveUpdates50 = measureAt(50);
export const liveUpdates150 = measureAt(150);

async function run({ system, isQuick }: Context): Promise<Figures> {
  const people = [await system.open(CASE, new ClientNetwork()), await system.open(CASE, new ClientNetwork())];
  const [typist] = people;
  if (typist === undefined) throw new Error('nobody types');
  const press = async (arrivals: Arrivals, everyMs: number, keys: number) => {
    await typeEvery(everyMs, keys, () => arrivals.press(typist));
    await until(() => arrivals.missing === 0, 15_000).catch(() => undefined);
    arrivals.stop();
  };
  // Registers the session and compiles the code.
  await press(new Arrivals(people), isQuick ? 5 : 100, isQuick ? 2 : WARM_UP_KEYS);
  await delay(isQuick ? 100 : 1_000);
  const arrivals = new Arrivals(people);
  await press(arrivals, isQuick ? QUICK_EVERY_MS : EVERY_MS, isQuick ? QUICK_KEYS : KEYS);
  for (const person of people) await person.close();
  return { samples: { [CASE]: arrivals.latencies }, values: { [`${CASE}: missing`]: arrivals.missing } };
}

function judge(measured: BySystem): readonly Line[] {
  const at = (system: 'weft' | 'weft-rows', nth: number) => percentile(measured[system]?.samples[CASE] ?? [], nth);
  return [50, 95].map((nth) => ({
    what: `${CASE}: p${nth}`,
    figure: `${ms(at('weft', nth))} with, ${ms(at('weft-rows', nth))} without (${ratio(at('weft', nth), at('weft-rows', nth))})`,
    goal: '',
    isReached: null,
  }));
}
