// Some seeds as tests, and the floors for what must have happened in them.
import { expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';
import type { SimOptions } from './simulation.ts';
import { Tally } from './coverage.ts';

const PER_TEST = 10;

/** Registers tests for seeds `from` to `to`. */
export function someSeeds(from: number, to: number, options: SimOptions): void {
  const tally = new Tally();
  for (let first = from; first <= to; first += PER_TEST) {
    const last = Math.min(to, first + PER_TEST - 1);
    test(`seeds ${first} to ${last} end equal everywhere and equal to the log`, async () => {
      for (let seed = first; seed <= last; seed++) {
        const outcome = await runSeed(seed, options);
        tally.add(outcome.tally);
        expect(outcome.problems, `seed ${seed}`).toEqual([]);
      }
    });
  }
  test('every kind of trouble really happened in them', () => {
    expect(tally.tooRare(to - from + 1, options.frames)).toEqual([]);
  });
}
