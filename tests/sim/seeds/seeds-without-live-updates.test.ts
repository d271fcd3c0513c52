// Edits travel as rows of the log only.
import { describe } from 'vitest';
import { testSeeds } from './seed-tests.ts';

describe('[I7] a simulated world without live updates, seeds 1 to 60', () => {
  testSeeds(1, 60, { liveUpdates: false });
});
