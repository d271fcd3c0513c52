// The traffic of a page full of people: messages sent and received, and calls, counted in virtual time.
import { expect, test } from 'vitest';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { SyncHarness, type TestTab } from '../sync-harness.ts';

/** The default leaves a page this many of the free plan's 100 messages per second, sent and delivered. */
const BUDGET = 50;
/** Each of five busy pages has this many. */
const BUDGET_OF_FIVE = 16;
const SECONDS = 6;
/** The server counts in ticks, and averages over a minute. */
const TICK_MS = 5_000;
const TICKS = 12;

/** This many people type at about five keys a second each. Returns what reached whom, per second. */
async function typingTogether(users: number, { budget = BUDGET, warmUpSeconds = 4, seconds = SECONDS } = {}) {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.liveBudget = budget;
  const tabs: TestTab[] = [];
  const received = { liveUpdates: 0, rows: 0 };
  /** Messages as Realtime counts them, by tick. */
  const ticks: number[] = [];
  const count = () => {
    const tick = Math.floor((harness.clock.now() - start) / TICK_MS);
    ticks[tick] = (ticks[tick] ?? 0) + 1;
  };
  const start = harness.clock.now();
  for (let n = 0; n < users; n++) {
    const tab = await harness.user(`person ${n}`).opened();
    tab.onSend = count;
    tab.onMessage = (event) => {
      count();
      if (event === EVENTS.liveUpdate) received.liveUpdates += 1;
      else if (event === EVENTS.rows) received.rows += 1;
    };
    tabs.push(tab);
  }
  await harness.run(5_000);
  /** The age of the oldest edit that someone does not show yet. */
  let behindMs = 0;
  const typed: { readonly at: number; readonly characters: number }[] = [];
  let characters = 0;
  const type = async (forSeconds: number) => {
    for (let step = 0; step < forSeconds * 100; step++) {
      for (const [n, tab] of tabs.entries()) {
        if ((step + n * 7) % 20 !== 0) continue;
        tab.type('a');
        characters += 1;
      }
      typed.push({ at: harness.clock.now(), characters });
      await harness.run(10);
      const least = Math.min(...tabs.map((tab) => tab.session.doc.getText('t').length));
      while (typed[0] !== undefined && typed[0].characters <= least) typed.shift();
      if (typed[0] !== undefined) behindMs = Math.max(behindMs, harness.clock.now() - typed[0].at);
    }
  };
  // Until everyone has received something from everyone: only then the number of writers is known.
  await type(warmUpSeconds);
  received.liveUpdates = received.rows = behindMs = 0;
  for (const tab of tabs) tab.calls.length = tab.liveUpdatesSent = 0;
  await type(seconds);
  const sent = tabs.reduce((sum, tab) => sum + tab.liveUpdatesSent, 0);
  const appends = tabs.map((tab) => tab.calls.filter((name) => name === 'append').length / seconds);
  const others = tabs.map((tab) => tab.calls.filter((name) => name !== 'append').length / seconds);
  await harness.run(10_000);
  const texts = new Set(tabs.map((tab) => tab.text));
  const saved = tabs.every((tab) => tab.view.receipt === 'saved');
  return { received, sent, ticks, behindMs, appends, others, texts, saved };
}

/** The highest average that the server sees, messages per second: over up to a minute, as its meter counts. */
function highestAverage(ticks: readonly number[]): number {
  const averages = Array.from(ticks.keys(), (end) => {
    const window = Array.from({ length: Math.min(end + 1, TICKS) }, (_, back) => ticks[end - back] ?? 0);
    return window.reduce((sum, messages) => sum + messages, 0) / window.length / (TICK_MS / 1_000);
  });
  return Math.max(...averages);
}

test.each([2, 5, 10, 20])(
  '[LR1] %i people who type cause no more messages per second than their page may',
  async (users) => {
    const { received, sent, appends, others, texts, saved } = await typingTogether(users);
    // Each person sends one live update at once to everyone else. The others share the budget, within a tenth, because
    // writers learn of each other by receiving.
    const atOnce = users * users;
    expect(received.liveUpdates).toBeGreaterThan(0);
    expect(sent + received.liveUpdates + received.rows).toBeLessThanOrEqual(1.1 * BUDGET * SECONDS + atOnce);
    expect(Math.max(...appends)).toBeLessThanOrEqual(7);
    expect(Math.max(...others)).toBeLessThanOrEqual(4);
    expect([texts.size, saved]).toEqual([1, true]);
  },
);

test('[LR1] when twenty people type, edits are seen soon all the same', async () => {
  const { behindMs } = await typingTogether(20);
  // Before rows counted too, 2,000 messages a second were measured.
  expect(behindMs).toBeLessThanOrEqual(3_000);
});

/** Four fifths of the free plan's messages per second. */
const MOST_AT_ONCE = 80;
const LONG_SECONDS = 12;

test.each([
  { users: 10, budget: BUDGET },
  { users: 30, budget: BUDGET },
  { users: 10, budget: BUDGET_OF_FIVE },
])(
  '[LR1] $users people who come and type stay within about $budget messages per second as the server counts them',
  async ({ users, budget }) => {
    const { ticks, behindMs, texts } = await typingTogether(users, { budget, warmUpSeconds: 5, seconds: LONG_SECONDS });
    expect(highestAverage(ticks)).toBeLessThanOrEqual(budget * 1.25);
    // Also in the seconds in which all of them begin.
    expect(Math.max(...Array.from(ticks, (count) => count ?? 0)) / (TICK_MS / 1_000)).toBeLessThanOrEqual(MOST_AT_ONCE);
    expect([texts.size, behindMs < 1_000]).toEqual([1, true]);
  },
);
