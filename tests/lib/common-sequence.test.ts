import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CommonRange, commonSequence } from '../../src/lib/lists/common-sequence.ts';
import { WorkBudget } from '../../src/lib/work-budget.ts';

const lists = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
const lengthOf = (ranges: readonly CommonRange[]) => ranges.reduce((sum, { length }) => sum + length, 0);

/** The textbook's table: each cell is the best length of two prefixes. */
function slowLength(one: readonly number[], other: readonly number[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const item of one) {
    const next = [0];
    for (const [at, candidate] of other.entries())
      next.push(item === candidate ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('finds ranges that both lists have, in order, as long in all as the slow model', () => {
  fc.assert(
    fc.property(lists, lists, (one, other) => {
      const found = commonSequence(Int32Array.from(one), Int32Array.from(other), new WorkBudget());
      let [end1, end2] = [0, 0];
      for (const { from1, from2, length } of found) {
        expect(from1 >= end1 && from2 >= end2 && length > 0).toBe(true);
        [end1, end2] = [from1 + length, from2 + length];
        expect(one.slice(from1, end1)).toEqual(other.slice(from2, end2));
      }
      expect(lengthOf(found)).toBe(slowLength(one, other));
    }),
    { numRuns: 500 },
  );
});

test('without a budget the common start and end are left', () => {
  const found = commonSequence(Int32Array.of(1, 2, 3, 4, 5, 9), Int32Array.of(1, 7, 3, 8, 5, 9), new WorkBudget(0));
  expect(found).toEqual([
    { from1: 0, from2: 0, length: 1 },
    { from1: 4, from2: 4, length: 2 },
  ]);
});

class CountedBudget extends WorkBudget {
  taken = 0;

  override take(steps: number): boolean {
    const isEnough = super.take(steps);
    if (isEnough) this.taken += steps;
    return isEnough;
  }
}

test('two lists of 200,000 different items end at the limit of edits', () => {
  const one = Int32Array.from({ length: 200_000 }, (_item, at) => at);
  const other = one.map((item) => -1 - item);
  const budget = new CountedBudget();
  expect(commonSequence(one, other, budget)).toEqual([]);
  // The square of the limit, twice; without a limit all 12,000,000 steps of the budget.
  expect(budget.taken).toBeLessThan(3_000_000);
});
