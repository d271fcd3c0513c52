import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { RetryTimer } from '../../src/lib/async/retry-timer.ts';

/** Runs never succeed by themselves. `runs` are the times at which they began. */
function timer() {
  const clock = new SimClock();
  const start = clock.now();
  const runs: number[] = [];
  const timing = { after: (ms: number, run: () => void) => clock.after(ms, run), random: () => 0.5 };
  const retries = new RetryTimer(timing, () => runs.push(clock.now() - start));
  return { clock, retries, runs };
}

test('waits longer after each failure, and as after the first one again after a success', async () => {
  const { clock, retries, runs } = timer();
  const waits: number[] = [];
  const fail = async (leastMs?: number) => {
    const before = clock.now();
    retries.failed(leastMs);
    const { length } = runs;
    while (runs.length === length) await clock.run(100);
    waits.push(clock.now() - before);
  };
  for (let failure = 1; failure <= 3; failure++) await fail();
  retries.succeeded();
  await fail();
  await fail(1_000);
  expect(waits).toEqual([500, 1_000, 2_000, 500, 2_000]);
});

test('one run waits at a time: a failure puts it off, any other reason does not', async () => {
  const { clock, retries, runs } = timer();
  retries.runLater(3_000);
  retries.runLater(1_000);
  await clock.run(2_000);
  expect([runs, retries.isWaiting]).toEqual([[], true]);
  retries.failed();
  await clock.run(10_000);
  expect([runs, retries.isWaiting]).toEqual([[2_500], false]);
});

test('a cancelled run does not happen, and the failures still count', async () => {
  const { clock, retries, runs } = timer();
  retries.failed();
  retries.cancel();
  await clock.run(60_000);
  expect([runs, retries.isWaiting]).toEqual([[], false]);
  retries.failed();
  await clock.run(60_000);
  expect(runs).toEqual([61_000]);
});
