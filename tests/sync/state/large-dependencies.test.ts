// An edit that builds on more of another tab than one row may hold.
import { expect, test } from 'vitest';
import { SyncHarness } from '../sync-harness.ts';

test('[D3] what two tabs wrote offline reaches the log although it is more than one row may hold', async () => {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const user = harness.user('alice');
  const [one, two] = [await user.opened(), await user.opened()];
  for (const tab of [one, two]) tab.goOffline();
  for (let i = 0; i < 30; i++) {
    one.type('x'.repeat(200_000));
    await harness.run(5);
  }
  await harness.run(100);
  expect(two.text.length).toBe(6_000_000);
  two.type('!');
  await harness.run(10);
  two.goOnline();
  await harness.run(60_000);
  expect([two.view.receipt, harness.logText.length]).toEqual(['saved', 6_000_001]);
  one.goOnline();
  await harness.run(60_000);
  expect([one.view.receipt, harness.logText.length]).toEqual(['saved', 6_000_001]);
}, 60_000);
