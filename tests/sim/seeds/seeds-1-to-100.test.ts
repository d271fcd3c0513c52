// The first hundred seeds. Two files, so that two workers share them.
import { describe } from 'vitest';
import { testSeeds } from './seed-tests.ts';

describe('[I7] a simulated world, seeds 1 to 100', () => {
  testSeeds(1, 100, { liveUpdates: true });
});
