// The longest ascending subsequence, in O(n log n): https://en.wikipedia.org/wiki/Longest_increasing_subsequence.
import { firstIndex } from './first-index.ts';

/** The positions of a longest strictly ascending choice of the numbers. Nulls are never chosen. */
export function longestAscent(numbers: readonly (number | null)[]): ReadonlySet<number> {
  /** For each length, the position of the smallest number that ends an ascent of this length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    if (number === null) continue;
    const length = firstIndex(ends.length, (n) => (numbers[ends[n] ?? 0] ?? 0) >= number);
    previous[at] = ends[length - 1];
    ends[length] = at;
  }
  const chosen = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) chosen.add(at);
  return chosen;
}
