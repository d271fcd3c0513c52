// Several calls that run once, at a random time.
import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { onceWithin } from '../../src/lib/async/once-within.ts';

test('several calls run once, and a call after a cancelled one runs again', async () => {
  const clock = new SimClock();
  let runs = 0;
  const soon = onceWithin({ after: (ms, run) => clock.after(ms, run), random: () => 0.5 }, () => runs++);
  soon.call(1_000);
  soon.call(1_000);
  await clock.run(600);
  expect(runs).toBe(1);
  soon.call(1_000);
  soon.cancel();
  await clock.run(2_000);
  expect(runs).toBe(1);
  soon.call(1_000);
  await clock.run(600);
  expect(runs).toBe(2);
});
