// A unified diff of two texts, as `diff -u` writes it. If they differ too much, all
// between their common start and end is one replacement.
import { commonSequence, numbered } from '../lists/common-sequence.ts';
import { WorkBudget } from '../work-budget.ts';

const CONTEXT = 3;
/** With more lines removed and added than this, everything between the common start and end becomes one replacement. */
const MAX_EDITS = 2_000;

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
  const numbers = new Map<string, number>();
  const unlimited = new WorkBudget(Number.POSITIVE_INFINITY);
  const common = commonSequence(numbered(before, numbers), numbered(after, numbers), unlimited, MAX_EDITS);
  const lines: Line[] = [];
  let [x, y] = [0, 0];
  for (const { from1, from2, length } of [...common, { from1: before.length, from2: after.length, length: 0 }]) {
    while (x < from1) lines.push({ sign: '-', text: before[x++] ?? '' });
    while (y < from2) lines.push({ sign: '+', text: after[y++] ?? '' });
    for (; x < from1 + length; x++, y++) lines.push({ sign: ' ', text: before[x] ?? '' });
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): readonly string[] {
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let at = 0;
  for (;;) {
    let first = at;
    while (lines[first]?.sign === ' ') first++;
    if (first >= lines.length) break;
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
