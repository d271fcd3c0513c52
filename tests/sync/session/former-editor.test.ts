// A user with several tabs who may only read from now on. Found by the simulation (seed 3107).
import { expect, test } from 'vitest';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

test('[L6] [NB1] unsent edits of a former editor’s tabs are not shown and dropped by the other tabs, again and again', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const alice = harness.user('alice');
  const [one, two, three] = [await alice.opened(), await alice.opened(), await alice.opened()];
  await harness.run(100);
  for (const tab of [one, two]) {
    tab.type('a');
    await harness.run(1_000);
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
  }
  for (let key = 0; key < 6; key++) {
    (key % 2 === 0 ? one : two).type('x', 1);
    await harness.run(60);
  }
  expect(three.text).toBe('axxxxxxa');

  harness.server.setRole(DOCUMENT, harness.userId('alice'), 'viewer');
  await harness.run(60_000);
  const { rebuilds } = three.view;
  await alice.opened();
  await harness.run(120_000);
  expect(three.view.rebuilds).toBe(rebuilds);
  expect(three.text).toBe(harness.logText);
  for (const tab of [one, two]) expect(tab.view.unsent.edits).toBe(3);
});
