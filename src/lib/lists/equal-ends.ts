/**
 * How many items two lists share at the start, and how many of the others at the end. `isSame` gets an index of the one and
 * an index of the other.
 */
export function equalEnds(
  before: number,
  after: number,
  isSame: (one: number, other: number) => boolean,
): readonly [start: number, end: number] {
  const shorter = Math.min(before, after);
  let start = 0;
  while (start < shorter && isSame(start, start)) start++;
  let end = 0;
  while (end < shorter - start && isSame(before - 1 - end, after - 1 - end)) end++;
  return [start, end];
}
