// The cost of writers and watchers in Realtime messages, as Supabase counts and charges them, beside y-supabase, where
// watching is opening the page.
import { setTimeout as delay } from 'node:timers/promises';
import { pageBudget } from '../../src/sessions/page-budget.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { openWatchers } from '../link-watchers.ts';
import { median } from '../percentiles.ts';
import { PLANS, dollarsPerMonth, messagesPerMonth, planFor } from '../prices.ts';
import { RealtimeMessages } from '../realtime-messages.ts';
import type { OpenedDocument, System } from '../systems/system.ts';
import { type Member, Weft } from '../systems/weft.ts';
import { pressKey, typeEvery } from '../typing.ts';
import { until } from '../until.ts';

const WRITERS = [1, 3, 10];
const WATCHERS = [0, 10, 100, 500];
/** Every person of y-supabase receives every message: beyond this, one process cannot follow, and the figure is computed. */
const MOST_PEERS = 20;
const KEY_EVERY_MS = 200;
const TYPING_MS = 15_000;
const QUICK_TYPING_MS = 600;

export const messages: Benchmark = {
  title: 'Messages per second and their price, for writers × watchers',
  systems: ['weft', 'y-supabase'],
  rounds: 1,
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  const values: Record<string, number> = {};
  for (const writers of isQuick ? [1] : WRITERS) {
    for (const watchers of isQuick ? [0, 2] : WATCHERS) {
      if (!(system instanceof Weft) && writers + watchers > MOST_PEERS) continue;
      values[`${writers} × ${watchers}`] = await perSecond(system, writers, watchers, isQuick);
    }
  }
  return { samples: {}, values };
}

/** Messages per second, all people together, while everyone who writes types five keys a second. */
async function perSecond(system: System, writers: number, watchers: number, isQuick: boolean): Promise<number> {
  const name = `${writers} × ${watchers}`;
  const networks = Array.from({ length: writers }, () => new ClientNetwork());
  const people = await openWriters(system, name, networks);
  const watching = await openEveryoneElse(system, name, watchers);
  await delay(isQuick ? 300 : 3_000);
  const counted = new RealtimeMessages([...networks, ...watching.networks]);
  const ms = isQuick ? QUICK_TYPING_MS : TYPING_MS;
  const start = performance.now();
  await Promise.all(
    people.map(async (person, nth) => {
      await delay((nth * KEY_EVERY_MS) / people.length);
      await typeEvery(KEY_EVERY_MS, Math.round(ms / KEY_EVERY_MS), () => pressKey(person));
    }),
  );
  await delay(isQuick ? 200 : 1_500);
  counted.stop();
  const { sent, delivered, rows } = counted.perSecond();
  const total = [...sent, ...delivered, ...rows].reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - start) / 1_000;
  await watching.close();
  for (const person of people) await person.close();
  return total / seconds;
}

async function openWriters(
  system: System,
  name: string,
  networks: readonly ClientNetwork[],
): Promise<readonly OpenedDocument[]> {
  if (!(system instanceof Weft)) return Promise.all(networks.map((network) => system.open(name, network)));
  const members: Member[] = [];
  for (const network of networks) members.push(await system.addMember(name, network));
  // The widest plan's budget: it measures the page without a limit.
  const opened = members.map((member) => system.enter(member, pageBudget(PLANS['Pro, no spend cap'].perSecond)));
  await until(() => opened.every(({ session }) => session.getView().connection === 'live'));
  return opened;
}

async function openEveryoneElse(system: System, name: string, count: number) {
  if (system instanceof Weft) {
    if (count === 0) return { networks: [], close: async () => {} };
    const watchers = await openWatchers(system, await system.linkTo(name), count);
    return {
      networks: watchers.map(({ network }) => network),
      close: async () => {
        for (const { session } of watchers) session.close();
      },
    };
  }
  const networks = Array.from({ length: count }, () => new ClientNetwork());
  const people = await Promise.all(networks.map((network) => system.open(name, network)));
  return {
    networks,
    close: async () => {
      for (const person of people) await person.close();
    },
  };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const at = (system: 'weft' | 'y-supabase', name: string) => {
    const found = measured[system]?.values[name];
    return found === undefined ? null : median(found);
  };
  return WRITERS.flatMap((writers) =>
    WATCHERS.map((watchers): Line => {
      const name = `${writers} × ${watchers}`;
      const [weft, measuredPeer] = [at('weft', name), at('y-supabase', name)];
      const peer = measuredPeer ?? manyPeers(at('y-supabase', `${writers} × 0`), writers, watchers);
      const of = (perSecond: number | null) => (perSecond === null ? '–' : priced(perSecond, writers + watchers));
      const note = measuredPeer === null && peer !== null ? ' (computed)' : '';
      return {
        what: `${writers} who write, ${watchers} who watch`,
        figure: `Weft ${of(weft)}; y-supabase ${of(peer)}${note}`,
        goal: '',
        isReached: null,
      };
    }),
  );
}

/** Each of the messages that `writers` send goes to everyone else: measured with the writers alone, times the receivers. */
function manyPeers(alone: number | null, writers: number, watchers: number): number | null {
  return alone === null ? null : (alone / writers) * (writers + watchers);
}

function priced(perSecond: number, connections: number): string {
  const millions = messagesPerMonth(perSecond) / 1_000_000;
  const plan = planFor(perSecond, connections) ?? 'more than any plan';
  return `${perSecond.toFixed(1)}/s, ${millions.toFixed(1)} M and $${dollarsPerMonth(perSecond).toFixed(2)} a month (${plan})`;
}
