// The first blocks of a version, as many as can be drawn: a page may have any number, and the browser must not be busy for long.
import type { Block } from 'weft-document/blocks/block.ts';
import { MAX_READER_UNITS, UNITS_PER_CELL, UNITS_PER_CODE_BLOCK } from 'weft-document/body/page-length.ts';

export function drawableBlocks(
  blocks: readonly Block[],
  marks: ReadonlyMap<string, readonly unknown[]>,
): readonly Block[] {
  let units = 0;
  const end = blocks.findIndex((block) => {
    units += unitsOf(block) + (marks.get(block.key)?.length ?? 0);
    return units > MAX_READER_UNITS;
  });
  return end < 0 ? blocks : blocks.slice(0, end);
}

function unitsOf(block: Block): number {
  switch (block.type) {
    case 'block':
      return (block.kind === 'code' ? UNITS_PER_CODE_BLOCK : 1) + block.runs.length;
    case 'image':
      return 1 + block.runs.length;
    case 'table':
      return block.rows.reduce(
        (sum, row) => row.reduce((all, { runs }) => all + UNITS_PER_CELL + runs.length, sum),
        1 + block.widths.length,
      );
    default:
      return 1;
  }
}
