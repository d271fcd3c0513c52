// A wall screen runs for days: a watcher by link through seven days of faults, in virtual time.
import { expect, test } from 'vitest';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Between two faults; each lasts at most as long. */
const STEP_MINUTES = 10;

test('[WA4] after seven days of faults a watcher shows the page, with no more timers and channels than after one', async () => {
  const harness = new SyncHarness();
  harness.watchLink();
  const alice = await harness.user('alice').opened();
  const watcher = harness.watch();
  const random = seededRandom(7);
  let isServerAway = false;
  watcher.refuse = () => (isServerAway ? OFFLINE : null);
  const faults = [
    () => watcher.link.close('disconnected'),
    () => {
      isServerAway = true;
    },
    () => {
      isServerAway = true;
      watcher.link.close('disconnected');
    },
    () => {
      watcher.drop = 5;
    },
    () => watcher.environment.set('hidden'),
    () => watcher.environment.set('offline'),
  ] as const;
  let written = 0;
  const day = async () => {
    for (let minutes = 0; minutes < DAY_MINUTES; minutes += STEP_MINUTES) {
      faults[Math.floor(random.next() * faults.length)]?.();
      alice.type(String(written++ % 10));
      const wait = random.next() * STEP_MINUTES;
      await harness.run(wait * MINUTE_MS);
      isServerAway = false;
      watcher.environment.set('online');
      watcher.environment.set('visible');
      await harness.run((STEP_MINUTES - wait) * MINUTE_MS);
    }
    // Everything that a fault delayed has come.
    await harness.run(5 * MINUTE_MS);
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
    expect(watcher.text).toBe(harness.logText);
    return { timers: harness.clock.pending, channels: harness.server.hub.channels };
  };
  const first = await day();
  for (let more = 1; more < 7; more++) expect(await day()).toEqual(first);
  expect(written).toBe((7 * DAY_MINUTES) / STEP_MINUTES);
  expect(harness.server.rows(DOCUMENT).length).toBeGreaterThan(written / 2);
  // One call each 15 s, and a few more for each fault: no storm of calls grows over the days.
  expect(watcher.asked).toBeLessThan(7 * DAY_MINUTES * 4 + written * 12);
});
