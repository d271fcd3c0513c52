// The door to the colours of code: says nothing until they are loaded, and calls when they are. Knows no editor.
import type { Cancel } from '../../lib/cancel.ts';
import type { HighlightedRange } from './highlighted-range.ts';

type Color = (language: string, text: string) => readonly HighlightedRange[];

/** Longer code stays as it is: colouring it anew at each key would be felt. */
const MAX_COLORED = 30_000;

const NONE: readonly HighlightedRange[] = [];
const WAITING: Color = () => {
  void load();
  return NONE;
};

let color = WAITING;
let isAsked = false;
const watchers = new Set<() => void>();

/** Colours of a text; none while they are not loaded, which this asks for. */
export function colorsOf(language: string | null, text: string, by: Color = color): readonly HighlightedRange[] {
  return language === null || text === '' || text.length > MAX_COLORED ? NONE : by(language, text);
}

/** Called once the colours are there. */
export function subscribeColors(run: () => void): Cancel {
  watchers.add(run);
  return () => {
    watchers.delete(run);
  };
}

/** Another function once the colours are there: for `useSyncExternalStore`. */
export const colorer = (): Color => color;

async function load(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    const { highlightWords } = await import('./highlight-words.ts');
    color = highlightWords;
    for (const run of [...watchers]) run();
  } catch {
    // Offline and not kept yet: the words are there, colours come with the next page.
    isAsked = false;
  }
}
