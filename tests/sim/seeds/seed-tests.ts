// Seeds as tests of vitest, with a test that every kind of fault happened in them.
import { expect, test } from 'vitest';
import { Coverage } from '../checks/coverage.ts';
import type { SimOptions } from '../world/sim-world.ts';
import { runSeed } from './run-seed.ts';

const PER_TEST = 10;

/** Registers tests for seeds `from` to `to`. */
export function testSeeds(from: number, to: number, options: SimOptions): void {
  const coverage = new Coverage();
  for (let first = from; first <= to; first += PER_TEST) {
    const last = Math.min(to, first + PER_TEST - 1);
    test(`seeds ${first} to ${last}: everyone ends with the content of the log`, async () => {
      for (let seed = first; seed <= last; seed++) {
        const outcome = await runSeed(seed, options);
        coverage.add(outcome.coverage);
        expect(outcome.problems, `seed ${seed}`).toEqual([]);
      }
    });
  }
  test('every kind of fault happened often enough', () => {
    expect(coverage.tooRare(to - from + 1, options)).toEqual([]);
  });
}
