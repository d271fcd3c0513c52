// Makes a text the same as it was before. The part between the first and the last difference is replaced; the characters around
// it stay, with their earlier formatting.
import type * as Y from 'yjs';
import { firstIndex } from '../../lib/lists/first-index.ts';

type Marks = Readonly<Record<string, unknown>>;
/** A run of text with the same marks. An embedded value is one of its own, of length 1. Lengths are UTF-16 units. */
type Run = { readonly from: number; readonly to: number; readonly marks: Marks; readonly embedded: object | null };
type Content = { readonly text: string; readonly runs: readonly Run[] };
type Op = { retain: number; attributes?: Marks } | { delete: number } | { insert: string | object; attributes: Marks };

/** Stands for an embedded value: Unicode's object replacement character. */
const EMBEDDED = '\uFFFC';

export function restoreText(text: Y.Text, earlier: Y.Text): void {
  const [now, goal] = [contentOf(text), contentOf(earlier)];
  const { start, end } = sameEnds(now.text, goal.text);
  const [nowEnd, goalEnd] = [now.text.length - end, goal.text.length - end];
  const ops: Op[] = [...retained(now, goal, 0, start, 0)];
  if (nowEnd > start) ops.push({ delete: nowEnd - start });
  for (const { from, to, marks, embedded } of within(goal.runs, start, goalEnd))
    ops.push({ insert: embedded ?? goal.text.slice(from, to), attributes: marks });
  ops.push(...retained(now, goal, goalEnd, goal.text.length, nowEnd - goalEnd));
  // A delta that only retains is no edit.
  if (ops.some((op) => !('retain' in op) || op.attributes !== undefined)) text.applyDelta(ops);
}

function contentOf(text: Y.Text): Content {
  const runs: Run[] = [];
  let all = '';
  const delta: readonly { insert: string | object; attributes?: Marks }[] = text.toDelta();
  for (const { insert, attributes: marks = {} } of delta) {
    const from = all.length;
    all += typeof insert === 'string' ? insert : EMBEDDED;
    runs.push({ from, to: all.length, marks, embedded: typeof insert === 'string' ? null : insert });
  }
  return { text: all, runs };
}

/** How many units are the same at both ends. No surrogate pair is split: Yjs would replace its halves by U+FFFD. */
function sameEnds(now: string, goal: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(now.length, goal.length);
  let start = 0;
  while (start < shorter && now[start] === goal[start]) start += 1;
  if (/[\uD800-\uDBFF]/.test(now.charAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && now.at(-1 - end) === goal.at(-1 - end)) end += 1;
  if (/[\uDC00-\uDFFF]/.test(now.charAt(now.length - end))) end -= 1;
  return { start, end };
}

/** Keeps `from` to `to` of the goal, which stand `shift` further in the present text, and sets the goal's marks. */
function retained(now: Content, goal: Content, from: number, to: number, shift: number): Op[] {
  const ops: Op[] = [];
  for (const wanted of within(goal.runs, from, to)) {
    for (const present of within(now.runs, wanted.from + shift, wanted.to + shift)) {
      const retain = present.to - present.from;
      if (JSON.stringify(present.embedded) !== JSON.stringify(wanted.embedded)) {
        ops.push({ delete: retain });
        ops.push({ insert: wanted.embedded ?? EMBEDDED, attributes: wanted.marks });
        continue;
      }
      const attributes = changedMarks(present.marks, wanted.marks);
      ops.push(attributes === null ? { retain } : { retain, attributes });
    }
  }
  return ops;
}

/** The parts of runs between two places. */
function within(runs: readonly Run[], from: number, to: number): readonly Run[] {
  const first = firstIndex(runs.length, (at) => (runs[at]?.to ?? 0) > from);
  const end = firstIndex(runs.length, (at) => (runs[at]?.from ?? 0) >= to);
  return runs
    .slice(first, Math.max(first, end))
    .map((run) => ({ ...run, from: Math.max(run.from, from), to: Math.min(run.to, to) }));
}

/** The marks to set, so that `now` becomes `goal`; in it null removes a mark. Null if the two are the same. */
function changedMarks(now: Marks, goal: Marks): Marks | null {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(now)) if (!Object.hasOwn(goal, name)) changed[name] = null;
  for (const [name, value] of Object.entries(goal))
    if (JSON.stringify(now[name]) !== JSON.stringify(value)) changed[name] = value;
  return Object.keys(changed).length === 0 ? null : changed;
}
