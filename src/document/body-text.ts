// Plain text of a page, for search, lists and word counts: one line per block. Copies, never the truth.
import type * as Y from 'yjs';
import { type Block, textOfRuns } from './block.ts';
import { parseBody } from './parse-body.ts';

export const bodyText = (doc: Y.Doc): string => textOfBlocks(parseBody(doc));

export const textOfBlocks = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'block' ? [textOfRuns(block.runs)] : [])).join('\n');

/** Words as a person counts them; scripts without spaces count by word segments. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (isWordLike === true) words++;
  }
  return words;
}
