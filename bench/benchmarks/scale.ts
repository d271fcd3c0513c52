// The load that one page can handle on each plan, computed by the code that spends the budget (`LivePace`), in virtual time:
// people type for a minute, watchers watch, and every message is counted as Supabase counts it. Needs no server.
import { LivePace } from 'weft-sync/live/live-pace.ts';
import { costOfMessage, costOfWatching } from 'weft-sync/live/message-cost.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { prng } from '../../src/lib/prng.ts';
import { pageBudget } from '../../src/sessions/page-budget.ts';
import type { Benchmark, Figures, Line, ResultBySystem } from '../benchmark.ts';
import { ms } from '../figures.ts';
import { median } from '../percentiles.ts';
import { PLANS, PLAN_NAMES, type PlanName, dollarsPerMonth } from '../prices.ts';

const WRITERS = [1, 3, 10, 30];
const WATCHERS = [0, 10, 100, 1_000, 100_000];
const KEY_EVERY_MS = 200;
const TEXT_INTERVAL_MS = 50;
const STEP_MS = 5;
const WARM_UP_MS = 10_000;
const COUNTED_MS = 60_000;
const QUICK_COUNTED_MS = 2_000;

export const scale: Benchmark = {
  title: 'What one page can handle on each plan, in virtual time',
  systems: ['no-sync'],
  rounds: 1,
  run: async ({ isQuick }) => figures(isQuick),
  judge,
};

const nameOf = (plan: string, writers: number, watchers: number) => `${plan}: ${writers} × ${watchers}`;

function figures(isQuick: boolean): Figures {
  const values: Record<string, number> = {};
  for (const plan of PLAN_NAMES) {
    for (const writers of WRITERS) {
      for (const watchers of WATCHERS) {
        const { live, intervalMs } = simulate(pageBudget(PLANS[plan].perSecond), writers, watchers, isQuick);
        const name = nameOf(plan, writers, watchers);
        values[`${name}: live`] = live;
        values[`${name}: watching`] = costOfWatching(pageBudget(PLANS[plan].perSecond)(1), watchers);
        values[`${name}: interval`] = intervalMs;
      }
    }
  }
  return { samples: {}, values };
}

/** Messages per second on the live topic, and the pause between two of one writer. Everyone types five keys a second. */
function simulate(liveBudget: (pages: number) => number, writers: number, watchers: number, isQuick: boolean) {
  let now = 0;
  const random = seededRandom(writers);
  const jitter = prng(writers);
  const clock = { now: () => now, after: () => () => {} };
  const sessions: readonly SessionId[] = Array.from({ length: writers }, () => random.session());
  const paces = sessions.map((own) => {
    const ports = { clock, random: { ...random, next: () => jitter() } };
    const pace = new LivePace({ liveBudget, ports }, { busyPages: 1, sending: () => {} });
    pace.peersChanged(
      sessions.filter((session) => session !== own),
      true,
    );
    pace.watched(watchers);
    return pace;
  });
  const countedMs = isQuick ? QUICK_COUNTED_MS : COUNTED_MS;
  const unsent = sessions.map(() => false);
  let messages = 0;
  for (; now < WARM_UP_MS + countedMs; now += STEP_MS) {
    for (const [nth, pace] of paces.entries()) {
      if ((now + (nth * KEY_EVERY_MS) / writers) % KEY_EVERY_MS < STEP_MS) unsent[nth] = true;
      if (unsent[nth] !== true || !pace.hasOthers || now < pace.dueAt(TEXT_INTERVAL_MS)) continue;
      unsent[nth] = false;
      pace.takeTurn();
      const session = sessions[nth];
      if (session !== undefined) for (const other of paces) if (other !== pace) other.peerWrote(session, true);
      if (now >= WARM_UP_MS) messages += costOfMessage(writers - 1);
    }
  }
  return { live: (1_000 * messages) / countedMs, intervalMs: paces[0]?.intervalMs ?? 0 };
}

function judge(measured: ResultBySystem): readonly Line[] {
  const at = (name: string) => median(measured['no-sync']?.values[name] ?? []);
  return PLAN_NAMES.flatMap((plan) =>
    WRITERS.flatMap((writers) =>
      WATCHERS.map((watchers): Line => {
        const name = nameOf(plan, writers, watchers);
        const [live, watching] = [at(`${name}: live`), at(`${name}: watching`)];
        const total = live + watching;
        const breaks = whatBreaks(plan, total, writers + watchers);
        const price = PLANS[plan].canExceed ? `, $${dollarsPerMonth(total).toFixed(0)} a month` : '';
        const interval = writers === 1 ? '' : `, a writer every ${ms(at(`${name}: interval`))}`;
        return {
          what: `${plan}: ${writers} who write, ${watchers} who watch`,
          figure: `${live.toFixed(0)} + ${watching.toFixed(0)} messages/s${interval}${price}${breaks === '' ? '' : `; beyond ${breaks}`}`,
          goal: '',
          isReached: null,
        };
      }),
    ),
  );
}

/** The limits that the page alone exceeds. */
function whatBreaks(plan: PlanName, perSecond: number, connections: number): string {
  const limits = PLANS[plan];
  return [
    ...(connections > limits.connections ? [`${limits.connections} connections`] : []),
    ...(perSecond > limits.perSecond ? [`${limits.perSecond} messages/s`] : []),
  ].join(' and ');
}
