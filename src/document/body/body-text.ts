// The plain text of a page for search, lists and word counts, one line per block. These are copies; the document is the
// source of truth.
import type * as Y from 'yjs';
import { type Block, textOfRuns } from '../blocks/block.ts';
import { parseBody } from './parse-body.ts';

export const bodyText = (doc: Y.Doc): string => textOfBlocks(parseBody(doc));

export const textOfBlocks = (blocks: readonly Block[]): string => blocks.flatMap(linesOf).join('\n');

function linesOf(block: Block): readonly string[] {
  switch (block.type) {
    case 'block':
      return [textOfRuns(block.runs)];
    case 'image':
      return [textOfRuns(block.runs)].filter((caption) => caption !== '');
    case 'file':
      return [block.name];
    case 'table':
      return block.rows.map((row) => row.map(({ runs }) => textOfRuns(runs)).join('\t'));
    case 'math':
      return [block.tex];
    case 'embed':
      return [block.title === '' ? (block.url ?? '') : block.title];
    case 'divider':
    case 'unknown':
      return [];
  }
}

/** Counts words as people do. Scripts without spaces count by word segments. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (isWordLike === true) words++;
  }
  return words;
}
