// A hundred opens and closes of one document leave nothing behind.
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { runWithGc } from '../../support/process/run-with-gc.ts';
import { OFFLINE, type TestTab, SyncHarness } from '../sync-harness.ts';

/** The moment at which a session is closed. */
const MOMENTS: readonly (readonly [string, (tab: TestTab, harness: SyncHarness) => Promise<void>])[] = [
  ['at once', async () => undefined],
  ['while it opens', (_tab, harness) => harness.run(0)],
  ['while it joins', (_tab, harness) => harness.run(1)],
  ['when it is live', (_tab, harness) => harness.run(1_000)],
  [
    'with an edit on its way',
    async (tab, harness) => {
      await harness.run(1_000);
      tab.type('x');
    },
  ],
  [
    'while an append is under way',
    async (tab, harness) => {
      await harness.run(1_000);
      tab.type('x');
      await harness.run(150);
      tab.type('y');
    },
  ],
  [
    'without network, before it was ever shown',
    async (tab, harness) => {
      tab.goOffline();
      await harness.run(5_000);
    },
  ],
  [
    'without network, with edits that wait',
    async (tab, harness) => {
      await harness.run(1_000);
      tab.goOffline();
      tab.type('z');
      await harness.run(5_000);
    },
  ],
  [
    'hidden',
    async (tab, harness) => {
      await harness.run(1_000);
      tab.type('h');
      tab.environment.set('hidden');
    },
  ],
  [
    'after its channel was lost',
    async (tab, harness) => {
      await harness.run(1_000);
      tab.link.close('closed');
      await harness.run(10);
    },
  ],
  [
    'after calls were refused',
    async (tab, harness) => {
      tab.faults.before = (name) => (name === 'open' ? null : OFFLINE);
      await harness.run(3_000);
    },
  ],
];

for (const [moment, live] of MOMENTS) {
  test(`[I9] a hundred sessions closed ${moment} leave no timer, channel, lock or listener`, async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const environment: TestTab['environment'][] = [];
    for (let round = 0; round < 100; round++) {
      const tab = user.open();
      environment.push(tab.environment);
      await live(tab, harness);
      const closing = tab.session.close();
      await harness.run(30_000);
      await closing;
    }
    expect({
      timers: harness.clock.pending,
      channels: harness.server.hub.channels,
      locks: user.locks.held,
      listeners: environment.reduce((sum, one) => sum + one.listeners, 0),
    }).toEqual({ timers: 0, channels: 0, locks: 0, listeners: 0 });
  });
}

const left = v.object({
  rows: v.number(),
  after20: v.number(),
  after100: v.number(),
  docs: v.number(),
  sessions: v.number(),
  timers: v.number(),
  channels: v.number(),
  locks: v.number(),
  listeners: v.number(),
});

/** One document of that size takes more than a megabyte, so eighty that stay would be obvious. */
const GROWTH_BYTES = 1024 * 1024;

test('[I9] a hundred opens of a document of 2,000 rows leave no document on the heap, and no growth', async () => {
  const { rows, after20, after100, ...rest } = await runWithGc(left, join(import.meta.dirname, 'memory-loop.ts'));
  expect(rows).toBe(2_000);
  expect(rest).toEqual({ docs: 0, sessions: 0, timers: 0, channels: 0, locks: 0, listeners: 0 });
  expect(after100 - after20).toBeLessThan(GROWTH_BYTES);
});
