// Loads the syntax highlighter when a page first has code, and tells subscribers when it is ready. Knows no editor.
import type { Cancel } from '../../lib/cancel.ts';
import type { HighlightedRange } from './highlighted-range.ts';

type Color = (language: string, text: string) => readonly HighlightedRange[];

/** Longer code is not highlighted: doing so at each key would be noticeable. */
const MAX_COLORED = 30_000;

const NONE: readonly HighlightedRange[] = [];
const WAITING: Color = () => {
  void load();
  return NONE;
};

let color = WAITING;
let isAsked = false;
const watchers = new Set<() => void>();

/** Highlighted ranges of a text. Until the highlighter is loaded there are none, and this call loads it. */
export function colorsOf(language: string | null, text: string, by: Color = color): readonly HighlightedRange[] {
  return language === null || text === '' || text.length > MAX_COLORED ? NONE : by(language, text);
}

/** Called once the highlighter is loaded. */
export function subscribeColors(run: () => void): Cancel {
  watchers.add(run);
  return () => {
    watchers.delete(run);
  };
}

/** A different function once the highlighter is loaded, as `useSyncExternalStore` needs. */
export const colorer = (): Color => color;

async function load(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    const { highlightWords } = await import('./highlight-words.ts');
    color = highlightWords;
    for (const run of [...watchers]) run();
  } catch {
    // Offline and not cached yet: the text is shown, and colors come with the next page.
    isAsked = false;
  }
}
