import { describe } from 'vitest';
import { someSeeds } from './seed-tests.ts';

describe('[I7] a simulated world, seeds 101 to 200', () => {
  someSeeds(101, 200, { frames: true });
});
