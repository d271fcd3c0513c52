// Backups of the server are restored while people write.
import { describe } from 'vitest';
import { testSeeds } from './seed-tests.ts';

describe('[HI1] [HI4] [I7] a simulated world whose server goes back in time, seeds 1 to 60', () => {
  testSeeds(1, 60, { liveUpdates: true, goesBack: true });
});
