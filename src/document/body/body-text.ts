// The plain text of a page for search, lists and word counts: a line for each block, and for each row of a table. These
// are copies; the document is the source of truth.
import type * as Y from 'yjs';
import { type Block, textOfRuns } from '../blocks/block.ts';
import { parseBody } from './parse-body.ts';

/** The database refuses NUL and half surrogate pairs, and would then keep no copy of the page's text at all. */
export const bodyText = (doc: Y.Doc): string => textOfBlocks(parseBody(doc)).toWellFormed().replaceAll('\0', '');

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
    case 'subpages':
    case 'unknown':
      return [];
  }
}

/** Characters that are segmented in one step: 2 ms. A page can have millions. */
const STEP_CHARACTERS = 10_000;

/** Counts words as people do, in steps; also in scripts that have no spaces. */
export function* countWords(text: string): Generator<void, number> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  let words = 0;
  for (const part of partsOf(text)) {
    for (const { isWordLike } of segmenter.segment(part)) if (isWordLike === true) words++;
    yield;
  }
  return words;
}

/** Parts of at most about `STEP_CHARACTERS`, cut between words where there are spaces. */
export function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + STEP_CHARACTERS;
    const space = end < text.length ? Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end)) : -1;
    const to = space > from ? space + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}
