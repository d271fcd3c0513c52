// The second hundred seeds. Two files, so that two workers share them.
import { describe } from 'vitest';
import { testSeeds } from './seed-tests.ts';

describe('[I7] a simulated world, seeds 101 to 200', () => {
  testSeeds(101, 200, { liveUpdates: true });
});
