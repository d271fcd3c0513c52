// A unified diff of two texts, as `diff -u` writes it, by Myers' algorithm on lines. Texts that differ too much are replaced
// as a whole: the work grows with the square of the difference.

const CONTEXT = 3;
/** Lines that may differ. Beyond that the differing part becomes one replacement. */
const MAX_DISTANCE = 2_000;

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string };

/** Empty if both are the same. `names` stand in the two head lines. */
export function unifiedDiff(before: string, after: string, names: readonly [before: string, after: string]): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines);
  return `--- ${names[0]}\n+++ ${names[1]}\n${hunks.join('')}`;
}

/** Each with its line break; the last may lack it. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function diffLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const trace = shortestPath(before, after);
  if (trace === null) {
    return [...before.map((text): Line => ({ sign: '-', text })), ...after.map((text): Line => ({ sign: '+', text }))];
  }
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const reach = trace[distance] ?? new Map<number, number>();
    const diagonal = x - y;
    const isInsertion = comesFromAbove(reach, diagonal, distance);
    const from = isInsertion ? diagonal + 1 : diagonal - 1;
    const previousX = distance === 0 ? 0 : (reach.get(from) ?? 0);
    const previousY = distance === 0 ? 0 : previousX - from;
    while (x > previousX && y > previousY) {
      x -= 1;
      y -= 1;
      lines.push({ sign: ' ', text: before[x] ?? '' });
    }
    if (distance === 0) break;
    if (isInsertion) lines.push({ sign: '+', text: after[(y -= 1)] ?? '' });
    else lines.push({ sign: '-', text: before[(x -= 1)] ?? '' });
  }
  return lines.toReversed();
}

/** For each distance the furthest point on each diagonal before it; null when the texts differ too much. */
function shortestPath(before: readonly string[], after: readonly string[]): readonly Map<number, number>[] | null {
  const trace: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
    trace.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = comesFromAbove(reach, diagonal, distance)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1;
        y += 1;
      }
      next.set(diagonal, x);
      if (x >= before.length && y >= after.length) return trace;
    }
    reach = next;
  }
  return null;
}

const comesFromAbove = (reach: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean =>
  diagonal === -distance ||
  (diagonal !== distance && (reach.get(diagonal - 1) ?? -1) < (reach.get(diagonal + 1) ?? -1));

function hunksOf(lines: readonly Line[]): readonly string[] {
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let at = 0;
  while (at < lines.length) {
    const first = lines.findIndex(({ sign }, index) => index >= at && sign !== ' ');
    if (first === -1) break;
    const from = Math.max(at, first - CONTEXT);
    const to = hunkEnd(lines, first);
    for (const { sign } of lines.slice(at, from)) [oldLine, newLine] = advanced(oldLine, newLine, sign);
    const hunk = lines.slice(from, to);
    const [olds, news] = [
      hunk.filter(({ sign }) => sign !== '+').length,
      hunk.filter(({ sign }) => sign !== '-').length,
    ];
    hunks.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n${hunk.map(written).join('')}`);
    for (const { sign } of hunk) [oldLine, newLine] = advanced(oldLine, newLine, sign);
    at = to;
  }
  return hunks;
}

/** A hunk goes on while changes are less than twice the context apart. */
function hunkEnd(lines: readonly Line[], first: number): number {
  let last = first;
  for (let at = first + 1; at < lines.length && at - last <= 2 * CONTEXT; at++) if (lines[at]?.sign !== ' ') last = at;
  return Math.min(lines.length, last + 1 + CONTEXT);
}

const advanced = (oldLine: number, newLine: number, sign: Line['sign']): [number, number] => [
  oldLine + (sign === '+' ? 0 : 1),
  newLine + (sign === '-' ? 0 : 1),
];

/** `diff` names the line before an empty range. */
const range = (line: number, count: number): string =>
  count === 1 ? String(line) : `${count === 0 ? line - 1 : line},${count}`;

const written = ({ sign, text }: Line): string =>
  text.endsWith('\n') ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
