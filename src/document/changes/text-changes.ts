// Compares two texts with marks, word by word.
import { type CommonRange, commonSequence, numbered } from '../../lib/lists/common-sequence.ts';
import type { WorkBudget } from '../../lib/work-budget.ts';
import { MARKS, type Run, textOfRuns } from '../blocks/block.ts';
import type { RemovedText, TextChanges, TextRange } from './page-changes.ts';
import { type Token, tokensOf, wordsIn } from './words.ts';

export type ComparedText = TextChanges & { readonly insertedWords: number; readonly removedWords: number };

/** Longer differences are not cut into words: a paragraph can have a million characters. */
export const MAX_UNITS = 60_000;
/** The cost of cutting a text into words, per UTF-16 unit, in steps of the budget. */
const STEPS_PER_UNIT = 10;

export function compareRuns(before: readonly Run[], after: readonly Run[], budget: WorkBudget): ComparedText {
  const [oldText, newText] = [textOfRuns(before), textOfRuns(after)];
  const same =
    oldText === newText ? wholeText(newText) : withWholeWords(sameRanges(oldText, newText, budget), oldText, newText);
  return { ...changesOf(same, oldText, newText), formatted: formattedRanges(same, before, after) };
}

const wholeText = ({ length }: string): readonly CommonRange[] =>
  length === 0 ? [] : [{ from1: 0, from2: 0, length }];

/** The text that both have in common, in UTF-16 offsets. */
function sameRanges(before: string, after: string, budget: WorkBudget): readonly CommonRange[] {
  // The same words must be new whichever text is the old one, although Myers prefers removals.
  if (before.length > after.length || (before.length === after.length && before > after)) {
    return sameRanges(after, before, budget).map(({ from1, from2, length }) => ({
      from1: from2,
      from2: from1,
      length,
    }));
  }
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [oldPart, newPart] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const units = oldPart.length + newPart.length;
  // Cutting a text into words is most of the work, and needless for a text that was only added or removed.
  const isCut = oldPart !== '' && newPart !== '' && units <= MAX_UNITS && budget.take(units * STEPS_PER_UNIT);
  const middle = isCut ? sameWords(tokensOf(oldPart), tokensOf(newPart), budget) : [];
  return [
    { from1: 0, from2: 0, length: start },
    ...middle.map(({ from1, from2, length }) => ({ from1: from1 + start, from2: from2 + start, length })),
    { from1: before.length - end, from2: after.length - end, length: end },
  ].filter(({ length }) => length > 0);
}

/** There are two ways to add a word to a sentence: this takes the one that adds "long " and not " long". */
function withWholeWords(same: readonly CommonRange[], before: string, after: string): readonly CommonRange[] {
  const moved: CommonRange[] = [];
  for (const one of same) {
    const last = moved.at(-1);
    let shift = 0;
    if (last !== undefined) {
      const [end1, end2] = [last.from1 + last.length, last.from2 + last.length];
      const isSpace = (text: string, at: number) => text[at] === after[one.from2 + shift] && /\s/.test(text.charAt(at));
      const canShift = () =>
        shift < one.length &&
        (end1 === one.from1 ? isSpace(after, end2 + shift) : end2 === one.from2 && isSpace(before, end1 + shift));
      while (canShift()) shift += 1;
      if (shift > 0) moved[moved.length - 1] = { ...last, length: last.length + shift };
    }
    if (shift === 0) moved.push(one);
    else if (shift < one.length)
      moved.push({ from1: one.from1 + shift, from2: one.from2 + shift, length: one.length - shift });
  }
  return moved;
}

/** Common starts and ends reach to a space, so that a word is never cut into two. */
function commonStart(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let at = 0;
  while (at < shorter && one[at] === other[at]) at++;
  if (isSpaceOrEnd(one[at]) && isSpaceOrEnd(other[at])) return at;
  while (at > 0 && !isSpaceOrEnd(one[at - 1])) at--;
  return at;
}

function commonEnd(one: string, other: string, start: number): number {
  const shorter = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < shorter && one.at(-1 - length) === other.at(-1 - length)) length++;
  const isAtWord = (text: string) => length === text.length || isSpaceOrEnd(text.at(-1 - length));
  if (isAtWord(one) && isAtWord(other)) return length;
  while (length > 0 && !isSpaceOrEnd(one.at(-length))) length--;
  return length;
}

const isSpaceOrEnd = (character: string | undefined): boolean => character === undefined || /\s/.test(character);

function sameWords(before: readonly Token[], after: readonly Token[], budget: WorkBudget): readonly CommonRange[] {
  const numbers = new Map<string, number>();
  const [one, other] = [before, after].map((tokens) =>
    numbered(
      tokens.map(({ text }) => text),
      numbers,
    ),
  );
  if (one === undefined || other === undefined) return [];
  const [starts1, starts2] = [startsOf(before), startsOf(after)];
  return commonSequence(one, other, budget)
    .filter((range) => !isOnlyBetween(range, before, after))
    .map(({ from1, from2, length }) => {
      const from = starts1[from1] ?? 0;
      return { from1: from, from2: starts2[from2] ?? 0, length: (starts1[from1 + length] ?? 0) - from };
    });
}

/** A space that stayed between two replaced words would cut one change into two. */
function isOnlyBetween(
  { from1, from2, length }: CommonRange,
  before: readonly Token[],
  after: readonly Token[],
): boolean {
  const isInside = (from1 > 0 || from2 > 0) && (from1 + length < before.length || from2 + length < after.length);
  return isInside && length <= 2 && before.slice(from1, from1 + length).every(({ text }) => /^\s+$/.test(text));
}

function startsOf(tokens: readonly Token[]): readonly number[] {
  const starts = [0];
  let at = 0;
  for (const { text } of tokens) starts.push((at += text.length));
  return starts;
}

function changesOf(same: readonly CommonRange[], before: string, after: string) {
  const inserted: TextRange[] = [];
  const removed: RemovedText[] = [];
  let [insertedWords, removedWords] = [0, 0];
  let [at1, at2] = [0, 0];
  for (const { from1, from2, length } of [...same, { from1: before.length, from2: after.length, length: 0 }]) {
    if (from1 > at1) {
      const text = before.slice(at1, from1);
      const words = countedWords(text);
      removed.push({ at: at2, text, words });
      removedWords += words;
    }
    if (from2 > at2) {
      inserted.push({ from: at2, to: from2 });
      insertedWords += countedWords(after.slice(at2, from2));
    }
    [at1, at2] = [from1 + length, from2 + length];
  }
  return { inserted, removed, insertedWords, removedWords };
}

/** The words of a long text are estimated: counting a million characters takes a second. */
export function countedWords(text: string): number {
  if (text.length <= MAX_UNITS) return wordsIn(tokensOf(text));
  return Math.round((wordsIn(tokensOf(text.slice(0, MAX_UNITS))) * text.length) / MAX_UNITS);
}

/** The unchanged parts of the text whose marks have changed. */
function formattedRanges(
  same: readonly CommonRange[],
  before: readonly Run[],
  after: readonly Run[],
): readonly TextRange[] {
  const old = runReader(before);
  const now = runReader(after);
  const ranges: TextRange[] = [];
  for (const { from1, from2, length } of same) {
    for (let at = 0; at < length;) {
      const [one, other] = [old(from1 + at), now(from2 + at)];
      const to = Math.min(length, one.end - from1, other.end - from2);
      if (!hasSameMarks(one.run, other.run)) {
        const last = ranges.at(-1);
        if (last?.to === from2 + at) ranges[ranges.length - 1] = { from: last.from, to: from2 + to };
        else ranges.push({ from: from2 + at, to: from2 + to });
      }
      at = to;
    }
  }
  return ranges;
}

/** Finds the run at an offset. Offsets must not decrease from call to call. */
function runReader(runs: readonly Run[]): (at: number) => { readonly run: Run | undefined; readonly end: number } {
  let index = 0;
  let end = runs[0]?.text.length ?? Infinity;
  return (at) => {
    while (at >= end) {
      index += 1;
      end += runs[index]?.text.length ?? Infinity;
    }
    return { run: runs[index], end };
  };
}

export const hasSameMarks = (one: Run | undefined, other: Run | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && MARKS.every((mark) => one[mark] === other[mark]));
