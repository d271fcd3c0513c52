import { describe } from 'vitest';
import { someSeeds } from './seed-tests.ts';

describe('[I7] a simulated world, seeds 1 to 100', () => {
  someSeeds(1, 100, { frames: true });
});
