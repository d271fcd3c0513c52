// Many people write for ten minutes while Realtime has the limits of Supabase's free plan: how near its messages come to the
// limit, all pages together, and whether it closes anyone's channel.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WATCH_AGAIN_MS } from 'weft-sync/protocol/topics.ts';
import { PLANS } from '../../backend/realtime/limits/plans.ts';
import { pageBudget } from '../../src/sessions/page-budget.ts';
import { rpc } from '../../tests/support/server/rpc.ts';
import type { Benchmark, Context, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ClientNetwork } from '../client-network.ts';
import { ms } from '../figures.ts';
import { median, percentile } from '../percentiles.ts';
import { RealtimeMessages } from '../realtime-messages.ts';
import { type Member, type OpenedWeftPage, Weft } from '../systems/weft.ts';
import { Arrivals, pressKey, textOf } from '../typing.ts';
import { until } from '../until.ts';

const LIMIT = PLANS.free.maxEventsPerSecond;
/** All pages together: the rest is for watchers and for pages that a tab does not know. */
const GOAL = 0.8 * LIMIT;
type Case = {
  readonly pages: number;
  readonly writers: number;
  /** Someone who is not on the page loses a role while the others write, so all of them move to another topic at once. */
  readonly roleChanges?: boolean;
  /** How many of them only read. */
  readonly readers?: number;
  /** People who watch by a link. They ask as watchers do, and have no connection of their own. */
  readonly watchers?: number;
  /** No one's WebSocket is let through. */
  readonly withoutRealtime?: boolean;
  /** The goal for the 95th percentile of the time until a key is shown to the others. */
  readonly shownWithinMs?: number;
};
const CASES: { readonly [name: string]: Case } = {
  '10 writers': { pages: 1, writers: 10 },
  '30 writers': { pages: 1, writers: 30 },
  '5 pages of 6 writers': { pages: 5, writers: 6 },
  '30 writers, a role changes': { pages: 1, writers: 30, roleChanges: true },
  '5 of 30 write, 165 watch': { pages: 1, writers: 30, readers: 25, watchers: 165, shownWithinMs: 1_000 },
  '3 of 5 write, without Realtime': { pages: 1, writers: 5, readers: 2, withoutRealtime: true, shownWithinMs: 5_000 },
};
const QUICK_WRITERS = 2;
const KEY_EVERY_MS = 200;
const TYPING_MS = 600_000;
const QUICK_TYPING_MS = 1_000;
const ROLE_CHANGE_AFTER_MS = 20_000;
const AFTER_ROLE_CHANGE_MS = 60_000;
/** People open a page one after the other. */
const ARRIVAL_EVERY_MS = 1_000;
const QUICK_ARRIVAL_EVERY_MS = 20;

export const liveBudget: Benchmark = {
  title: 'Ten minutes of many writers within the limits of the free plan',
  systems: ['weft'],
  rounds: 1,
  setup: { plan: 'free' },
  run,
  judge,
};

async function run({ system, isQuick }: Context): Promise<Figures> {
  if (!(system instanceof Weft)) throw new Error('only Weft has a live budget');
  const samples: Record<string, number[]> = {};
  const values: Record<string, number> = {};
  for (const [name, whole] of Object.entries(CASES)) {
    const one = isQuick ? { ...whole, pages: 1, writers: QUICK_WRITERS } : whole;
    const { messages, latencies, different } = await write(system, name, one, isQuick);
    for (const [what, perSecond] of Object.entries(messages.perSecond())) samples[`${name}: ${what}`] = [...perSecond];
    samples[`${name}: late`] = latencies;
    values[`${name}: highest minute`] = messages.highestAverage(60);
    values[`${name}: highest 5 s`] = messages.highestAverage(5);
    values[`${name}: refused`] = messages.refused;
    values[`${name}: closed`] = messages.closed;
    values[`${name}: different`] = different;
    process.stderr.write(`${name}: ${messages.describe()}\n`);
  }
  return { samples, values };
}

async function write(system: Weft, name: string, one: Case, isQuick: boolean) {
  const { pages, writers, roleChanges = false, readers = 0, watchers = 0, withoutRealtime = false } = one;
  const members = await addMembers(system, name, pages, writers);
  if (withoutRealtime) for (const { network } of members) network.refuseSockets();
  const messages = new RealtimeMessages(members.map(({ network }) => network));
  const all: OpenedWeftPage[][] = [];
  for (const [nth, member] of members.entries()) {
    const people = (all[nth % pages] ??= []);
    people.push(await open(system, member, withoutRealtime));
    await delay(isQuick ? QUICK_ARRIVAL_EVERY_MS : ARRIVAL_EVERY_MS);
  }
  const arrivals = all.map((people) => new Arrivals(people));
  const seesAll = ({ session }: OpenedWeftPage) => session.getView().peers.length === writers;
  if (!withoutRealtime) await until(() => all.every((people) => people.every(seesAll)));
  process.stderr.write(`${name}, while people came: ${messages.describe()}\n`);
  messages.restart();
  const isShort = roleChanges || readers > 0;
  const typingMs = isShort ? ROLE_CHANGE_AFTER_MS + AFTER_ROLE_CHANGE_MS : TYPING_MS;
  const stopWatching = watchers > 0 ? await watchByLink(system, name, isQuick ? 1 : watchers) : null;
  const end = performance.now() + (isQuick ? QUICK_TYPING_MS : typingMs);
  const changing = roleChanges ? changeRole(system, name, writers, isQuick ? 0 : ROLE_CHANGE_AFTER_MS) : null;
  await Promise.all(
    all.flatMap((people, page) =>
      people.slice(isQuick ? 0 : readers).map(async (person, nth) => {
        await delay((KEY_EVERY_MS * nth) / people.length);
        while (performance.now() < end) {
          // The first one's keys are timed.
          if (nth === 0) arrivals[page]?.press(person);
          else pressKey(person);
          await delay(KEY_EVERY_MS);
        }
      }),
    ),
  );
  await changing;
  stopWatching?.();
  messages.stop();
  const isSaved = () => all.flat().every(({ session }) => session.getView().receipt === 'saved');
  const texts = (people: readonly OpenedWeftPage[]) => new Set(people.map(({ doc }) => textOf(doc).toString())).size;
  await until(() => isSaved() && all.every((people) => texts(people) === 1)).catch(() => undefined);
  for (const one of arrivals) one.stop();
  const different = all.filter((people) => texts(people) !== 1).length;
  for (const person of all.flat()) await person.close();
  return { messages, latencies: arrivals.flatMap((one) => one.latencies), different };
}

async function changeRole(system: Weft, name: string, nth: number, afterMs: number): Promise<void> {
  const { id, user } = await system.addMember(`${name} 0`, new ClientNetwork(), nth);
  await delay(afterMs);
  await rpc(await system.owner(), 'set_document_member', { document: id, person: user, role: 'viewer' });
}

/** Resolves when the database counts them. Returns a function that ends their asking. */
async function watchByLink(system: Weft, name: string, count: number): Promise<() => void> {
  const secret = await system.linkTo(`${name} 0`);
  const client = system.client(new ClientNetwork());
  const watchers = Array.from({ length: count }, () => randomUUID());
  const ask = async () => {
    for (const watcher of watchers)
      await rpc(client, 'open_watch', { secret, since: Number.MAX_SAFE_INTEGER, watcher });
  };
  await ask();
  const timer = setInterval(() => void ask(), WATCH_AGAIN_MS);
  return () => clearInterval(timer);
}

/** Everyone is an editor before the first one opens a page: a change of rights moves its topics. */
async function addMembers(system: Weft, name: string, pages: number, writers: number): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let nth = 0; nth < pages * writers; nth++) {
    members.push(await system.addMember(`${name} ${nth % pages}`, new ClientNetwork(), nth));
  }
  return members;
}

async function open(system: Weft, member: Member, withoutRealtime = false): Promise<OpenedWeftPage> {
  const page = system.enter(member, pageBudget(LIMIT));
  const { session } = page;
  await until(() => session.getView().editable && (withoutRealtime || session.getView().connection === 'live'));
  return page;
}

function judge(measured: ResultBySystem): readonly Line[] {
  return Object.entries(CASES).flatMap(([name, { shownWithinMs = null }]): readonly Line[] => {
    const sample = (what: string) => measured.weft?.samples[`${name}: ${what}`] ?? [];
    const value = (what: string) => median(measured.weft?.values[`${name}: ${what}`] ?? []);
    const mean = (what: string) => sample(what).reduce((sum, one) => sum + one, 0) / Math.max(1, sample(what).length);
    const [highest, burst] = [value('highest minute'), value('highest 5 s')];
    const [closed, different] = [value('closed'), value('different')];
    const parts = ['sent', 'delivered', 'rows', 'presence'].map((what) => `${mean(what).toFixed(1)} ${what}`);
    const late = [50, 95, 100].map((nth) => ms(percentile(sample('late'), nth))).join(', ');
    return [
      {
        what: `${name}: messages per second in the highest minute`,
        figure: `${highest.toFixed(1)} of ${LIMIT} (${(highest / LIMIT).toFixed(2)}); on average ${parts.join(', ')}`,
        goal: `below ${GOAL}`,
        isReached: highest < GOAL,
      },
      {
        what: `${name}: messages per second in the highest 5 s`,
        figure: burst.toFixed(1),
        goal: `≤ ${LIMIT}`,
        isReached: burst <= LIMIT,
      },
      {
        what: `${name}: channels closed`,
        figure: `${closed}, and ${value('refused')} requests refused`,
        goal: '0',
        isReached: closed === 0,
      },
      {
        what: `${name}: a key is shown to the others after (p50, p95, longest)`,
        figure: late,
        goal: shownWithinMs === null ? '' : `p95 ≤ ${shownWithinMs / 1_000} s`,
        isReached: shownWithinMs === null ? null : percentile(sample('late'), 95) <= shownWithinMs,
      },
      {
        what: `${name}: pages whose people see different text at the end`,
        figure: `${different}`,
        goal: '0',
        isReached: different === 0,
      },
    ];
  });
}
