import { expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';

test('the same seed gives the same run twice, another seed another one', async () => {
  for (const seed of [4, 5]) {
    const [once, again] = [await runSeed(seed, { liveUpdates: true }), await runSeed(seed, { liveUpdates: true })];
    expect(again).toEqual(once);
  }
  const traces = await Promise.all([6, 7].map((seed) => runSeed(seed, { liveUpdates: true })));
  expect(traces[0]?.trace).not.toBe(traces[1]?.trace);
});
