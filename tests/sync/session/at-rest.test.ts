// A page that no one uses: how often it wakes the device.
import { expect, test } from 'vitest';
import { HEAD_CHECK_MS, QUIET_AFTER_MS, QUIET_HEAD_CHECK_MS } from 'weft-sync/session/machine-runner.ts';
import { OFFLINE, SyncHarness } from '../sync-harness.ts';

const HOUR_MS = 3_600_000;

/** Alice has written, no one has done anything for five minutes since, and both tabs are open. */
async function atRest() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob', 'viewer').opened();
  alice.type('a');
  await harness.run(QUIET_AFTER_MS + QUIET_HEAD_CHECK_MS);
  return { harness, alice, bob };
}

test('[L4] a tab at rest has one timer, and checks the head once a minute', async () => {
  const { harness, alice, bob } = await atRest();
  const before = [alice.calls.length, bob.calls.length];
  expect(harness.clock.pending).toBe(2);
  await harness.run(HOUR_MS);
  expect(harness.clock.pending).toBe(2);
  expect([alice, bob].map(({ calls }, at) => calls.length - (before[at] ?? 0))).toEqual([60, 60]);
});

test('[L4] a hidden tab has no timer, and still gets the edits of others', async () => {
  const { harness, alice, bob } = await atRest();
  for (const tab of [alice, bob]) tab.environment.set('hidden');
  await harness.run(HOUR_MS);
  expect(harness.clock.pending).toBe(0);
  alice.environment.set('visible');
  alice.type('b');
  await harness.run(100);
  expect(bob.text).toBe('ab');
});

test('[L4] once someone writes again the head is checked every 30 s', async () => {
  const { harness, alice, bob } = await atRest();
  alice.type('b');
  await harness.run(QUIET_HEAD_CHECK_MS);
  bob.dropMessages = Number.POSITIVE_INFINITY;
  alice.type('c');
  await harness.run(HEAD_CHECK_MS);
  expect(bob.text).toBe('abc');
});

test('[WA2] a hidden watcher has no timer, and asks at once when it is visible again', async () => {
  const harness = new SyncHarness();
  harness.watchLink();
  const alice = await harness.user('alice').opened();
  const watcher = harness.watch();
  await harness.run(1_000);
  for (const { environment } of [alice, watcher]) environment.set('hidden');
  await harness.run(HOUR_MS);
  expect([harness.clock.pending, watcher.asked]).toEqual([0, 2]);
  alice.type('a');
  await harness.run(5_000);
  watcher.environment.set('visible');
  await harness.run(10);
  expect([watcher.text, watcher.asked]).toEqual(['a', 3]);
});

test('[WA2] a hidden watcher whose call failed asks again: what it shows may have been erased', async () => {
  const harness = new SyncHarness();
  harness.watchLink();
  const watcher = harness.watch(() => OFFLINE);
  watcher.environment.set('hidden');
  await harness.run(5_000);
  watcher.refuse = () => null;
  await harness.run(15_000);
  expect(watcher.view).toMatchObject({ phase: 'live', error: null });
});
