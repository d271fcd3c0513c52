import { describe } from 'vitest';
import { someSeeds } from './seed-tests.ts';

describe('[I7] a simulated world in rows mode, seeds 1 to 60', () => {
  someSeeds(1, 60, { frames: false });
});
