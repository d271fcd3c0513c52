// Flattens blocks to text, for places that hold one text: a cell, a caption.
import { type Run, textOfRuns } from 'weft-document/blocks/block.ts';
import { plainRun } from 'weft-document/blocks/detached-block.ts';
import { gridOfTable, linesOfGrid } from './html-table.ts';
import type { PastedBlock } from './pasted-block.ts';

/**
 * Each block becomes a line, a table one for each row. A block without text becomes its name or source, or is left out.
 */
export function runsOfBlocks(blocks: readonly PastedBlock[]): readonly Run[] {
  const lines = blocks.flatMap(linesOf);
  return lines.flatMap((runs, at) => (at === 0 ? runs : [plainRun('\n'), ...runs]));
}

function linesOf(block: PastedBlock): readonly (readonly Run[])[] {
  switch (block.type) {
    case 'block':
      return [block.runs];
    case 'table':
      return linesOfGrid(gridOfTable(block));
    case 'embed':
      return [[{ ...plainRun(block.title === '' ? (block.url ?? '') : block.title), link: block.url }]];
    case 'image':
      return textOfRuns(block.runs) === '' ? lineOf(block.name) : [block.runs];
    case 'file':
      return lineOf(block.name);
    case 'math':
      return lineOf(block.tex);
    case 'divider':
    case 'subpages':
      return [];
  }
}

const lineOf = (words: string): readonly (readonly Run[])[] => (words === '' ? [] : [[plainRun(words)]]);
