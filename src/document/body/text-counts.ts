// The length of a page in words, characters and reading time.
import type { Block } from '../blocks/block.ts';
import { countWords, partsOf, textOfBlocks } from './body-text.ts';

/** How many words of English adults read silently per minute (Brysbaert 2019). */
const WORDS_PER_MINUTE = 238;

export type TextCounts = {
  readonly words: number;
  /** Characters as people see them: a flag, or an e with an accent, counts as one. Without line breaks. */
  readonly characters: number;
  /** At least 1 if there is anything to read. */
  readonly minutes: number;
};

/** Counts in steps of a few milliseconds. */
export function* textCounts(blocks: readonly Block[]): Generator<void, TextCounts> {
  const text = textOfBlocks(blocks);
  const words = yield* countWords(text);
  const characters = yield* countCharacters(text);
  return { words, characters, minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
}

/** Latin, Greek and Cyrillic text without combining marks has one character per code unit. */
const SIMPLE = /^[\n -\u{2ff}\u{370}-\u{482}\u{48a}-\u{52f}\u{2010}-\u{2027}]*$/u;

function* countCharacters(text: string): Generator<void, number> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let characters = 0;
  for (const part of partsOf(text)) {
    if (SIMPLE.test(part)) characters += part.replaceAll('\n', '').length;
    else for (const { segment } of segmenter.segment(part)) if (segment !== '\n') characters++;
    yield;
  }
  return characters;
}
