// Loads the syntax highlighter when a page first has code, and tells subscribers when it is ready. Knows no editor.
import { Subscribable } from '../../lib/subscribable.ts';
import type { HighlightedRange } from './highlighted-range.ts';

type Highlight = (language: string, text: string) => readonly HighlightedRange[];

/** Longer code is not highlighted: doing so at each key would be noticeable. */
const MAX_HIGHLIGHTED = 30_000;

const NONE: readonly HighlightedRange[] = [];
const WAITING: Highlight = () => {
  void load();
  return NONE;
};

let highlight = WAITING;
let isRequested = false;
const loaded = new Subscribable();

/** Highlighted ranges of a text. Until the highlighter is loaded there are none, and this call loads it. */
export function highlightedRanges(
  language: string | null,
  text: string,
  highlighter: Highlight = highlight,
): readonly HighlightedRange[] {
  return language === null || text === '' || text.length > MAX_HIGHLIGHTED ? NONE : highlighter(language, text);
}

/** Called once the highlighter is loaded. */
export const subscribeHighlighter = loaded.subscribe;

/** A different function once the highlighter is loaded, as `useSyncExternalStore` needs. */
export const currentHighlighter = (): Highlight => highlight;

async function load(): Promise<void> {
  if (isRequested) return;
  isRequested = true;
  try {
    const { highlightCode } = await import('./highlight-code.ts');
    highlight = highlightCode;
    loaded.notify();
  } catch {
    // Offline and not cached yet: the text is shown, and colors come with the next page.
    isRequested = false;
  }
}
