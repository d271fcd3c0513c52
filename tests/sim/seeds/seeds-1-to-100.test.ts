// Seeds that everyone runs, and how often each kind of fault must happen in them.
import { describe } from 'vitest';
import { testSeeds } from './seed-tests.ts';

describe('[I7] a simulated world, seeds 1 to 100', () => {
  testSeeds(1, 100, { liveUpdates: true });
});
