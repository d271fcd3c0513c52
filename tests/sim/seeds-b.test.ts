import { describe } from 'vitest';
import { someSeeds } from './some-seeds.ts';

describe('[I7] a simulated world, seeds 105 to 200', () => {
  // Seed 104: an outbox refused too early, repaired with the frames layer.
  someSeeds(105, 200, { frames: true });
});
