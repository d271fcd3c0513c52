// Estimates how long the browser takes to draw a block for reading, in ms. The editor uses the same limits to decide which
// block is too costly (`src/editor/binding/page-nodes.ts`).
import { type Block, MARKS, type Run, type TableCell, textOfRuns } from 'weft-document/blocks/block.ts';
import { textsIn } from 'weft-document/blocks/detached-block.ts';
import { formulasInText } from 'weft-document/blocks/inline-formulas.ts';
import { onePer } from '../../lib/one-per.ts';
import { MAX_DRAWING_MS, drawingCost } from '../../ui/blocks/drawing-cost.ts';
import { MAX_DRAWN_COLUMNS } from '../../ui/blocks/drawing-limits.ts';
import { cardTitle } from '../links/card-text.ts';

/** A block without its text, with React, layout and paint: 150 take 40 ms (Chromium 156, 2 busy cores). */
const BLOCK_MS = 0.27;
/** The same for a code block, which has a head with a button: 150 take 240 ms. */
const CODE_MS = 1.6;
/** A cell without its text: 4,000 take 440 ms. */
const CELL_MS = 0.11;
/** A block that is shown as an unsupported one. */
const UNSUPPORTED_MS = 5;

type Cost = { readonly isTooCostly: boolean; readonly parts: readonly number[] };

export const isTooCostly = (block: Block): boolean => costOf(block).isTooCostly;

/** The costs of the parts that can be drawn one after the other: a table's rows, or the block as a whole. */
export const partCosts = (block: Block): readonly number[] => costOf(block).parts;

/** Blocks never change: one that changed is another object. */
const costOf = onePer((block: Block): Cost => {
  const texts = textsIn(block).reduce((sum, runs) => sum + costOfRuns(runs), 0);
  const isTooWide = block.type === 'table' && block.widths.length > MAX_DRAWN_COLUMNS;
  if (isTooWide || texts > MAX_DRAWING_MS) return { isTooCostly: true, parts: [UNSUPPORTED_MS] };
  if (block.type === 'unknown') return { isTooCostly: false, parts: [UNSUPPORTED_MS] };
  if (block.type !== 'table' || block.rows.length === 0) {
    const isCode = block.type === 'block' && block.kind === 'code';
    return { isTooCostly: false, parts: [texts + costOfName(block) + (isCode ? CODE_MS : BLOCK_MS)] };
  }
  // A row gets as many cells as the longest one has.
  const empty = block.widths.length * CELL_MS;
  return { isTooCostly: false, parts: block.rows.map((row) => empty + costOfRow(row)) };
});

/** Names are short enough to be drawn whatever they hold, but not a hundred of them in one go. */
function costOfName(block: Block): number {
  if (block.type === 'embed') return drawingCost([{ text: cardTitle(block), marks: 0, formulas: 0 }]);
  return block.type === 'file' ? drawingCost([{ text: block.name, marks: 0, formulas: 0 }]) : 0;
}

const costOfRow = (row: readonly TableCell[]) => row.reduce((sum, { runs }) => sum + costOfRuns(runs), 0);

const costOfRuns = (runs: readonly Run[]) => drawingCost(runs.map(drawnPiece));

/** The text of a block that is too costly to draw, one line for each of its texts. */
export const plainTextOf = (block: Block): string => textsIn(block).map(textOfRuns).join('\n');

const drawnPiece = (run: Run) => ({
  text: run.text,
  marks: MARKS.filter((name) => run[name] !== false && run[name] !== null).length,
  formulas: run.formula ? formulasInText(run.text).length : 0,
});
