// The order of siblings as text (a fractional index). Ranks compare by code units, and there is always room for one
// more at the end.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LAST = DIGITS.at(-1) ?? '';
const MIDDLE = 'V';

/** Returns a rank after `rank`, or the first rank for null. Ranks grow by one character about every thirty appends. */
export function rankAfter(rank: string | null): string {
  if (rank === null || rank === '') return MIDDLE;
  const at = Array.from(rank).findLastIndex((digit) => digit < LAST);
  if (at < 0) return rank + MIDDLE;
  const digit = rank.charAt(at);
  // A character outside the alphabet (in a rank from another client) counts as the digit below it.
  const next = Array.from(DIGITS).find((candidate) => candidate > digit) ?? LAST;
  return rank.slice(0, at) + next;
}

export const compareRanks = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
