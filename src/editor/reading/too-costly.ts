// Whether a block is too costly to draw for reading. The editor decides alike (`unknown-node.ts`).
import { type Block, MARKS, type Run, textOfRuns } from '../../document/blocks/block.ts';
import { MAX_DRAWING_MS, drawingCost } from '../../ui/blocks/drawing-cost.ts';

export const isTooCostly = (block: Block): boolean =>
  textsOf(block).reduce((sum, runs) => sum + drawingCost(runs.map(drawnPiece)), 0) > MAX_DRAWING_MS;

/** The text of a block that is too costly to draw, one line for each of its texts. */
export const plainTextOf = (block: Block): string => textsOf(block).map(textOfRuns).join('\n');

function textsOf(block: Block): readonly (readonly Run[])[] {
  if (block.type === 'table') return block.rows.flat().map(({ runs }) => runs);
  return 'runs' in block ? [block.runs] : [];
}

const drawnPiece = (run: Run) => ({
  text: run.text,
  marks: MARKS.filter((name) => run[name] !== false && run[name] !== null).length,
});
