// The longest common subsequence of two lists (Myers' algorithm), with a limit to its cost.
import type { WorkBudget } from '../work-budget.ts';
import { equalEnds } from './equal-ends.ts';

/** Items `before[from1 + n]` and `after[from2 + n]` are the same, for n below `length`. */
export type CommonRange = { readonly from1: number; readonly from2: number; readonly length: number };

/** With more additions and removals than this, two lists count as different: the cost grows with the square. */
const MAX_EDITS = 1000;

/**
 * The ranges that both have, in order. Lists that differ too much, or for which the budget does not suffice, have only
 * their common start and end.
 */
export function commonSequence(
  before: Int32Array,
  after: Int32Array,
  budget: WorkBudget,
  maxEdits = MAX_EDITS,
): readonly CommonRange[] {
  const [start, end] = equalEnds(before.length, after.length, (one, other) => before[one] === after[other]);
  const middle = middleRanges(
    before.subarray(start, before.length - end),
    after.subarray(start, after.length - end),
    budget,
    maxEdits,
  ).map(({ from1, from2, length }) => ({ from1: from1 + start, from2: from2 + start, length }));
  return joined([
    { from1: 0, from2: 0, length: start },
    ...middle,
    { from1: before.length - end, from2: after.length - end, length: end },
  ]);
}

/**
 * The furthest point on each diagonal with `edits` additions and removals, for more and more edits; then the way back. One
 * array per number of edits is kept for that.
 */
function middleRanges(
  before: Int32Array,
  after: Int32Array,
  budget: WorkBudget,
  maxEdits: number,
): readonly CommonRange[] {
  const [n, m] = [before.length, after.length];
  if (n === 0 || m === 0) return [];
  const reached: Int32Array[] = [];
  let last = new Int32Array(1);
  for (let edits = 0; edits <= Math.min(n + m, maxEdits); edits++) {
    const now = new Int32Array(2 * edits + 1);
    let steps = 0;
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : fromX(last, edits, k);
      const from = x;
      while (x < n && x - k < m && before[x] === after[x - k]) x++;
      now[k + edits] = x;
      steps += x - from + 4;
      if (x >= n && x - k >= m) return wayBack([...reached, now], n, m);
    }
    if (!budget.take(steps)) return [];
    reached.push(now);
    last = now;
  }
  return [];
}

/** The start of diagonal `k` with `edits`: by an addition from the diagonal above, or by a removal from the one below. */
function fromX(last: Int32Array, edits: number, k: number): number {
  const above = k + 1 <= edits - 1 ? (last[k + 1 + edits - 1] ?? -1) : -1;
  const below = k - 1 >= 1 - edits ? (last[k - 1 + edits - 1] ?? -1) + 1 : -1;
  return Math.max(above, below);
}

function wayBack(reached: readonly Int32Array[], n: number, m: number): readonly CommonRange[] {
  const ranges: CommonRange[] = [];
  let x = n;
  let y = m;
  for (let edits = reached.length - 1; edits >= 0; edits--) {
    const k = x - y;
    const last = reached[edits - 1];
    const from = last === undefined ? 0 : fromX(last, edits, k);
    ranges.push({ from1: from, from2: from - k, length: x - from });
    if (last === undefined) break;
    const isAddition = k + 1 <= edits - 1 && (last[k + 1 + edits - 1] ?? -1) === from;
    x = isAddition ? from : from - 1;
    y = isAddition ? from - k - 1 : from - k;
  }
  return ranges.toReversed();
}

function joined(ranges: readonly CommonRange[]): readonly CommonRange[] {
  const all: CommonRange[] = [];
  for (const one of ranges) {
    if (one.length === 0) continue;
    const last = all.at(-1);
    if (last !== undefined && last.from1 + last.length === one.from1 && last.from2 + last.length === one.from2)
      all[all.length - 1] = { ...last, length: last.length + one.length };
    else all.push(one);
  }
  return all;
}

/** The numbers of the items: equal items have the same. */
export function numbered(items: readonly string[], numbers: Map<string, number>): Int32Array {
  const found = new Int32Array(items.length);
  // `Int32Array.from` with a function takes three times as long.
  for (let at = 0; at < items.length; at++) {
    const item = items[at] ?? '';
    const known = numbers.get(item);
    if (known === undefined) numbers.set(item, numbers.size);
    found[at] = known ?? numbers.size - 1;
  }
  return found;
}
