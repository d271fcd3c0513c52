import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { spacedRuns } from '../../src/lib/async/spaced-runs.ts';

/** Each run takes `ms`. `begun` are the times at which they began. */
function runsOf(ms: number) {
  const clock = new SimClock();
  const start = clock.now();
  const begun: number[] = [];
  const run = () => {
    begun.push(clock.now() - start);
    return new Promise<void>((resolve) => void clock.after(ms, resolve));
  };
  return { clock, begun, spaced: spacedRuns(run, 400, (wait, then) => clock.after(wait, then)) };
}

test('a burst of calls causes one run at its start and one after the pause', async () => {
  const { clock, begun, spaced } = runsOf(10);
  for (let call = 0; call < 5; call++) void spaced.call();
  await clock.run(5_000);
  expect(begun).toEqual([0, 400]);
  void spaced.call();
  expect(begun).toHaveLength(3);
});

test('a run that takes longer than the pause is followed by the next one at its end', async () => {
  const { clock, begun, spaced } = runsOf(1_000);
  void spaced.call();
  const done: string[] = [];
  void spaced.call().then(() => done.push('second'));
  await clock.run(1_500);
  expect([begun, done]).toEqual([[0, 1_000], []]);
  await clock.run(1_000);
  expect(done).toEqual(['second']);
});

test('once closed, no run begins, and callers do not wait for the pause', async () => {
  const { clock, begun, spaced } = runsOf(10);
  void spaced.call();
  const second = spaced.call();
  await clock.run(20);
  spaced.close();
  await second;
  await clock.run(5_000);
  expect(begun).toEqual([0]);
});
