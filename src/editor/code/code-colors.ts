// Finds the colors of a code block's text in a worker, with a deadline. Knows no editor.
import * as v from 'valibot';
import { findLanguage } from 'weft-document/code-languages.ts';
import { DeadlineWorker } from '../../lib/async/deadline-worker.ts';
import { SharedResults } from '../../lib/async/shared-results.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { equalEnds } from '../../lib/lists/equal-ends.ts';
import { MAX_COLORED_CHARACTERS, MAX_COLORED_RANGES } from '../../ui/blocks/drawing-limits.ts';
import { drawingFrames } from '../../ui/browser/frame-budget.ts';
import type { ColoredRange, HighlightJob } from './colored-range.ts';

export const NO_COLORS: readonly ColoredRange[] = [];

const answer = v.array(v.object({ from: v.number(), to: v.number(), names: v.string() }));

/** Ten thousand lines take 100 ms; the rest is for slow and busy devices. */
const LIMITS = { deadlineMs: 2_000, shortestDeadlineMs: 250 };
/** What is remembered, in characters of code; a range counts as twenty. */
const MAX_REMEMBERED = 2_000_000;
const RANGE_SIZE = 20;

const worker = new DeadlineWorker<HighlightJob, readonly ColoredRange[]>(
  () => new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module', name: 'weft-highlight' }),
  answer,
  LIMITS,
);

const results = new SharedResults<readonly ColoredRange[]>(
  async (key, signal) => {
    const end = key.indexOf('\n');
    const result = await worker.run({ language: key.slice(0, end), text: key.slice(end + 1) }, signal);
    if (result.ok) return { value: result.value, isFinal: true };
    // Code that is too costly stays uncolored. If the highlighter did not load, the next change tries again.
    return result.error === 'cancelled' ? null : { value: NO_COLORS, isFinal: result.error === 'tooSlow' };
  },
  (ranges) => ranges.length * RANGE_SIZE,
  MAX_REMEMBERED,
);

/** The colors, if they are known already. */
export function knownColors(language: string | null, text: string): readonly ColoredRange[] | undefined {
  const key = keyOf(language, text);
  return key === null ? NO_COLORS : results.known(key);
}

/**
 * Calls back once with the colored ranges, in order and without overlap, when they are known and a frame has room to
 * draw them. That may be at once.
 */
export function watchColors(
  language: string | null,
  text: string,
  onColors: (ranges: readonly ColoredRange[]) => void,
): Cancel {
  const key = keyOf(language, text);
  if (key === null) {
    onColors(NO_COLORS);
    return () => {};
  }
  let stopDrawing: Cancel | null = null;
  const stopWatching = results.watch(key, (ranges) => {
    stopDrawing = drawingFrames.run(ranges.length / MAX_COLORED_RANGES, () => onColors(ranges));
  });
  return () => {
    stopWatching();
    stopDrawing?.();
  };
}

/** Null for text that has no colors. */
function keyOf(language: string | null, text: string): string | null {
  const known = text === '' || text.length > MAX_COLORED_CHARACTERS ? null : findLanguage(language);
  return known === null ? null : `${known.id}\n${text}`;
}

/** The colors of a text that has changed, until the new ones are known: outside of the change they stay. */
export function shiftColors(ranges: readonly ColoredRange[], before: string, after: string): readonly ColoredRange[] {
  if (ranges.length === 0) return ranges;
  const isSame = (one: number, other: number) => before.charCodeAt(one) === after.charCodeAt(other);
  const [start, same] = equalEnds(before.length, after.length, isSame);
  const end = before.length - same;
  const grown = after.length - before.length;
  return ranges.flatMap(({ from, to, names }): ColoredRange[] => {
    // A range around the change grows with it: what is typed in a comment belongs to it.
    const isInside = from < start && to > end;
    const newFrom = from < start ? from : from >= end ? from + grown : after.length - same;
    const newTo = isInside || to > end ? to + grown : Math.min(to, start);
    return newTo > newFrom ? [{ from: newFrom, to: newTo, names }] : [];
  });
}
