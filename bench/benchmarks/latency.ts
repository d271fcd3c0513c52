// Goal 1: the time from a key press to the others' documents. Each key also moves the caret, as in an editor.
import { setTimeout as delay } from 'node:timers/promises';
import { TEXT_INTERVAL_MS } from 'weft-sync/live/live-update-sender.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms, ratio } from '../figures.ts';
import { percentile } from '../percentiles.ts';
import type { SystemName } from '../systems/connect.ts';
import type { OpenedDocument } from '../systems/system.ts';
import { Arrivals, livePercent, shownEdits, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

type Case = { readonly people: number; readonly typists: number; readonly everyMs: number; readonly keys: number };

const CASES: { readonly [name: string]: Case } = {
  '2 people, 1 types, 300 ms': { people: 2, typists: 1, everyMs: 300, keys: 60 },
  '10 people, 1 types, 300 ms': { people: 10, typists: 1, everyMs: 300, keys: 60 },
  '10 people, 10 type, 300 ms': { people: 10, typists: 10, everyMs: 300, keys: 30 },
  '2 people, 1 types, 25 ms': { people: 2, typists: 1, everyMs: 25, keys: 400 },
};
const [TWO = '', TEN_ONE = '', TEN_ALL = '', FAST = ''] = Object.keys(CASES);
const QUICK_KEYS = 3;
const QUICK_PEOPLE = 3;
const QUICK_EVERY_MS = 20;
/** The warm-up lets the engine compile the code that runs per key: people write for hours. */
const WARM_UP_KEYS = 150;

export const latency: Benchmark = {
  title: 'From a key press to the others’ documents (goal 1)',
  systems: ['weft', 'weft-rows', 'y-websocket', 'hocuspocus', 'y-supabase'],
  rounds: 3,
  run,
  judge,
};

async function run(context: Context): Promise<Figures> {
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  for (const [name, one] of Object.entries(CASES)) {
    const people: OpenedDocument[] = [];
    const count = context.isQuick ? Math.min(one.people, QUICK_PEOPLE) : one.people;
    const networks = Array.from({ length: count }, () => new ClientNetwork());
    for (const network of networks) people.push(await context.system.open(name, network));
    await warmUp(people, people.slice(0, one.typists), context.isQuick);
    const before = shownEdits(people);
    const arrivals = new Arrivals(people, networks);
    const keys = context.isQuick ? QUICK_KEYS : one.keys;
    const everyMs = context.isQuick ? QUICK_EVERY_MS : one.everyMs;
    const typing = people.slice(0, one.typists).map(async (person, nth) => {
      // Typists do not start in the same millisecond.
      await delay((nth * everyMs) / one.typists);
      await typeEvery(everyMs, keys, () => arrivals.press(person));
    });
    await Promise.all(typing);
    await until(() => arrivals.missing === 0, 15_000).catch(() => undefined);
    arrivals.stop();
    samples[name] = arrivals.latencies;
    for (const [stage, latencies] of Object.entries(arrivals.stages)) samples[`${name}: ${stage}`] = latencies;
    values[`${name}: missing`] = arrivals.missing;
    const after = shownEdits(people);
    values[`${name}: live`] = after.live - before.live;
    values[`${name}: by row`] = after.byRow - before.byRow;
    for (const person of people) await person.close();
  }
  return { samples, values };
}

/** Runs until everyone has received the typists' edits: sessions registered, presence known, code compiled. */
async function warmUp(
  people: readonly OpenedDocument[],
  typists: readonly OpenedDocument[],
  isQuick: boolean,
): Promise<void> {
  const arrivals = new Arrivals(people);
  const keys = isQuick ? 2 : Math.ceil(WARM_UP_KEYS / typists.length);
  for (const typist of typists) await typeEvery(isQuick ? 5 : 50, keys, () => arrivals.press(typist));
  await until(() => arrivals.missing === 0);
  arrivals.stop();
  await delay(isQuick ? 100 : 1_000);
}

function judge(measured: ResultBySystem): readonly Line[] {
  const p = (system: SystemName, name: string, nth: number) => percentile(measured[system]?.samples[name] ?? [], nth);
  const lines: Line[] = [];
  for (const name of [TWO, TEN_ONE, TEN_ALL]) {
    for (const nth of [50, 95]) {
      const [own, hocus, yws] = [p('weft', name, nth), p('hocuspocus', name, nth), p('y-websocket', name, nth)];
      lines.push({
        what: `${name}: p${nth}`,
        figure: `${ms(own)} (${ratio(own, hocus)} × Hocuspocus, ${ratio(own, yws)} × y-websocket)`,
        goal: '≤ Hocuspocus, ≤ 1.2 × y-websocket',
        isReached: own <= hocus && own <= 1.2 * yws,
      });
    }
  }
  const bound = TEXT_INTERVAL_MS + p('weft', TWO, 95);
  lines.push({
    what: `${FAST}: p95`,
    figure: ms(p('weft', FAST, 95)),
    goal: `≤ ${ms(bound)} (live-update window + p95 of 2 people)`,
    isReached: p('weft', FAST, 95) <= bound,
  });
  const sum = (name: string) => (measured.weft?.values[name] ?? []).reduce((total, value) => total + value, 0);
  for (const name of Object.keys(CASES)) {
    const percent = livePercent(sum(`${name}: live`), sum(`${name}: by row`));
    lines.push({
      what: `${name}: keys that live updates showed`,
      figure: `${percent.toFixed(1)} %`,
      goal: '100 %',
      isReached: percent === 100,
    });
  }
  for (const system of latency.systems) {
    const shown = Object.keys(CASES).map((name) => `${ms(p(system, name, 50))} / ${ms(p(system, name, 95))}`);
    const lost = Object.keys(CASES).reduce(
      (sum, name) => sum + Math.max(0, ...(measured[system]?.values[`${name}: missing`] ?? [])),
      0,
    );
    const stages = ['sender', 'server', 'receiver'].map((stage) =>
      [TWO, TEN_ONE, TEN_ALL].map((name) => ms(p(system, `${name}: ${stage}`, 50))).join(', '),
    );
    lines.push({
      what: `${system}: sender | server | receiver, p50 of the first three`,
      figure: stages.join(' | '),
      goal: '',
      isReached: null,
    });
    lines.push({
      what: `${system}: p50 / p95 of each`,
      figure: shown.join(', ') + (lost > 0 ? `; ${lost} LOST` : ''),
      goal: '',
      isReached: null,
    });
  }
  return lines;
}
