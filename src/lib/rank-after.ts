// Order of siblings as text (a fractional index): ranks compare by code units, and there is always one more after.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LAST = DIGITS.at(-1) ?? '';
const MIDDLE = 'V';

/** A rank behind `rank`; with null the first one ever. Grows by one character in some thirty appends. */
export function rankAfter(rank: string | null): string {
  if (rank === null || rank === '') return MIDDLE;
  const at = Array.from(rank).findLastIndex((digit) => digit < LAST);
  if (at < 0) return rank + MIDDLE;
  const digit = rank.charAt(at);
  // Characters that are no digit (a rank written by somebody else) count as the digit below them.
  const next = Array.from(DIGITS).find((candidate) => candidate > digit) ?? LAST;
  return rank.slice(0, at) + next;
}

export const compareRanks = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
