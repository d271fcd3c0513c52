// How long a page is, as people count.
import type { Block } from '../blocks/block.ts';
import { countWords, textOfBlocks } from './body-text.ts';

/** Adults read this many words of English a minute silently (Brysbaert 2019). */
const WORDS_A_MINUTE = 238;

export type TextCounts = {
  readonly words: number;
  /** As they are seen: a flag or an e with an accent is one. Without line ends. */
  readonly characters: number;
  /** At least 1 where there is anything to read. */
  readonly minutes: number;
};

export function textCounts(blocks: readonly Block[]): TextCounts {
  const text = textOfBlocks(blocks);
  const words = countWords(text);
  return {
    words,
    characters: countCharacters(text),
    minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_A_MINUTE)),
  };
}

function countCharacters(text: string): number {
  // Latin, Greek and Cyrillic letters without marks are each their own: no need for the slow way.
  if (/^[\n -\u{2ff}\u{370}-\u{482}\u{48a}-\u{52f}\u{2010}-\u{2027}]*$/u.test(text))
    return text.replaceAll('\n', '').length;
  let characters = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (segment !== '\n') characters++;
  }
  return characters;
}
