import { describe, expect, test } from 'vitest';
import { runSeed } from './sim-world.ts';

describe('[I7] lost, doubled, delayed and reordered messages, closed channels, killed and frozen tabs', () => {
  for (let from = 1; from <= 100; from += 10) {
    test(`seeds ${from} to ${from + 9} end equal everywhere and equal to the log`, async () => {
      for (let seed = from; seed < from + 10; seed++) {
        const world = await runSeed(seed);
        expect(world.problems, `seed ${seed}`).toEqual([]);
      }
    });
  }
});
