// The length of a page in words, characters and reading time.
import type { Block } from '../blocks/block.ts';
import { countWords, textOfBlocks } from './body-text.ts';

/** How many words of English adults read silently per minute (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

export type TextCounts = {
  readonly words: number;
  /** Characters as people see them: a flag, or an e with an accent, counts as one. Without line breaks. */
  readonly characters: number;
  /** At least 1 if there is anything to read. */
  readonly minutes: number;
};

export function textCounts(blocks: readonly Block[]): TextCounts {
  const text = textOfBlocks(blocks);
  const words = countWords(text);
  return {
    words,
    characters: countCharacters(text),
    minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE)),
  };
}

function countCharacters(text: string): number {
  // Fast path: Latin, Greek and Cyrillic text without combining marks has one character per code unit.
  if (/^[\n -\u{2ff}\u{370}-\u{482}\u{48a}-\u{52f}\u{2010}-\u{2027}]*$/u.test(text))
    return text.replaceAll('\n', '').length;
  let characters = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (segment !== '\n') characters++;
  }
  return characters;
}
