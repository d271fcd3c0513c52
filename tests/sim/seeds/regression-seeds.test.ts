// Seeds that once failed, each with what went wrong in its world at that time. When the simulation draws other random
// numbers, a seed makes another world, so each mended fault has a test of its own in tests/sync as well.
import { describe, expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';

const SEEDS = [
  { seed: 455, why: 'two parts of one row needed each other struct by struct: Yjs kept some of both pending' },
  { seed: 480, why: 'who came back to a raised page on an answer’s word sent live updates without text for good' },
  { seed: 3423, why: 'a reader gave up words that were in the log already, and showed them again two seconds later' },
  { seed: 2822, why: 'outboxes of three tabs needed each other, and a fourth was refused because it built on them' },
  {
    seed: 13583,
    why: 'while rows were fetched for an edit, the live update it builds on became one that builds on the next edits',
  },
];

describe('[I3] [D6] seeds that once failed', () => {
  test.each(SEEDS)('seed $seed: $why', async ({ seed }) => {
    expect((await runSeed(seed, { liveUpdates: true })).problems).toEqual([]);
  });
});
