// The traffic of a page full of people: messages × receivers, and calls, counted in a virtual minute.
import { expect, test } from 'vitest';
import { EVENTS } from '../../../src/protocol/topics.ts';
import { SyncHarness, type TestTab } from '../sync-harness.ts';

/** The budget of the specification, per second and document. */
const DELIVERIES_PER_SECOND = 100;
const SECONDS = 6;

/** This many people type at about five keys a second each. Returns what reached whom, per second. */
async function typingTogether(users: number) {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const tabs: TestTab[] = [];
  for (let n = 0; n < users; n++) tabs.push(await harness.user(`person ${n}`).opened());
  await harness.run(5_000);
  const received = { liveUpdates: 0, rows: 0 };
  for (const tab of tabs) {
    tab.onMessage = (event) => {
      if (event === EVENTS.liveUpdate) received.liveUpdates += 1;
      else if (event === EVENTS.rows) received.rows += 1;
    };
  }
  /** The age of the oldest edit that somebody does not show yet. */
  let behindMs = 0;
  const typed: { readonly at: number; readonly letters: number }[] = [];
  let letters = 0;
  const type = async (seconds: number) => {
    for (let step = 0; step < seconds * 100; step++) {
      for (const [n, tab] of tabs.entries()) {
        if ((step + n * 7) % 20 !== 0) continue;
        tab.type('a');
        letters += 1;
      }
      typed.push({ at: harness.clock.now(), letters });
      await harness.run(10);
      const least = Math.min(...tabs.map((tab) => tab.session.doc.getText('t').length));
      const oldest = typed.find((one) => one.letters > least);
      if (oldest !== undefined) behindMs = Math.max(behindMs, harness.clock.now() - oldest.at);
    }
  };
  // Until everybody has received something from everybody: only then the number of writers is known.
  await type(4);
  received.liveUpdates = received.rows = behindMs = 0;
  for (const tab of tabs) tab.calls.length = 0;
  await type(SECONDS);
  const appends = tabs.map((tab) => tab.calls.filter((name) => name === 'append').length / SECONDS);
  const others = tabs.map((tab) => tab.calls.filter((name) => name !== 'append').length / SECONDS);
  await harness.run(10_000);
  const texts = new Set(tabs.map((tab) => tab.text));
  return { received, behindMs, appends, others, texts, saved: tabs.every((tab) => tab.view.receipt === 'saved') };
}

test.each([2, 5, 10, 20])(
  '[LR1] the live updates of %i people who type stay at about 100 deliveries per second at most',
  async (users) => {
    const { received, appends, others, texts, saved } = await typingTogether(users);
    // Each person sends one live update at once to everybody else. The others share the budget, within a tenth, because
    // writers learn of each other by receiving.
    const atOnce = users * (users - 1);
    expect(received.liveUpdates).toBeGreaterThan(0);
    expect(received.liveUpdates).toBeLessThanOrEqual(1.1 * DELIVERIES_PER_SECOND * SECONDS + atOnce);
    expect(Math.max(...appends)).toBeLessThanOrEqual(7);
    expect(Math.max(...others)).toBeLessThanOrEqual(4);
    expect([texts.size, saved]).toEqual([1, true]);
  },
);

test('[LR1] when twenty people type, the rows that the database publishes share the budget, and edits are seen soon all the same', async () => {
  const { received, behindMs } = await typingTogether(20);
  // Before rows counted too, 2,000 a second were measured.
  expect(received.liveUpdates + received.rows).toBeLessThanOrEqual(1.1 * DELIVERIES_PER_SECOND * SECONDS + 20 * 19);
  expect(behindMs).toBeLessThanOrEqual(2_000);
});
