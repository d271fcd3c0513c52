// Decides what a pasted table becomes. With the caret in a cell it fills the cells from there on, and anything else is inserted as
// text. Elsewhere tab-separated text becomes a table. A table that is too large becomes lines of text.
import type { Schema } from '@tiptap/pm/model';
import type { EditorView } from '@tiptap/pm/view';
import { PLAIN, type Run, parseStyle } from 'weft-document/blocks/block.ts';
import { MAX_COLUMNS, MAX_ROWS, writeCells } from 'weft-document/tables/table-grid.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { EditContext } from '../binding/edit-context.ts';
import { allowGrowth, bytesOfNodes, bytesOfText } from '../binding/growth-guard.ts';
import { type Grid, fitsTable, gridOfTable, gridOfText, linesOfGrid, parseTabbed } from '../html/html-table.ts';
import type { PastedBlock } from '../html/pasted-block.ts';
import { runsOfBlocks } from '../html/text-of-blocks.ts';
import { CELL_BYTES, changeTable, placeCaretInCell, tableTarget } from '../tables/table-commands.ts';
import { CellSelection } from '../tables/table-selection.ts';
import { blocksInsertion, type Insertion } from './insert-blocks.ts';
import { nodesOfBlocks } from './node-blocks.ts';

/** Reports that a pasted table was too large and became lines of text. */
export function reportTooLarge(): void {
  toast(`A table holds ${MAX_ROWS.toLocaleString('en')} rows and ${MAX_COLUMNS} columns. Pasted as lines of text.`);
}

/** Plain text as blocks: a table if it is one, otherwise the result of `lines`. */
export function tableOfText(text: string, lines: (text: string) => readonly PastedBlock[]): readonly PastedBlock[] {
  const grid = gridOfText(text);
  if (grid === null) return lines(text);
  if (!fitsTable(grid)) {
    reportTooLarge();
    return lines(text);
  }
  const rows = grid.map((row) => row.map((words) => ({ runs: wordsOf(words) })));
  return [{ type: 'table', headRow: false, headColumn: false, rows }];
}

/**
 * Pastes a table into the cells from the caret on, and enlarges the table if needed. If it would get too large, the
 * pasted one goes below as lines of text. False if the caret is in no cell, or the content is not a table.
 */
export function pasteCells(view: EditorView, context: EditContext, pasted: string | readonly PastedBlock[]): boolean {
  const target = tableTarget(view.state.selection);
  const grid = typeof pasted === 'string' ? gridOfTabbed(pasted) : gridOfBlocks(pasted);
  if (target === null || grid === null) return false;
  const { top, left } = target.rect;
  if (!fitsTable(grid, top, left)) {
    reportTooLarge();
    insertBelow(view, context, target.table.at + target.table.node.nodeSize, grid);
    return true;
  }
  const cells = repeat(grid, view.state.selection, target.rect);
  const bytes = cells.flat().reduce((sum, runs) => sum + CELL_BYTES + bytesOfText(textOf(runs)), 0);
  const isDone = changeTable(view, context, target.table, (table) => writeCells(table, target.rect, cells), bytes);
  if (isDone) placeCaretInCell(view, target.table, top + cells.length - 1, left + (cells.at(-1)?.length ?? 1) - 1);
  return true;
}

/** Blocks as text, for a cell or a caption, which hold one text. */
export const flatTextInsertion = (schema: Schema, blocks: readonly PastedBlock[]): Insertion =>
  blocksInsertion(schema, [{ type: 'block', ...parseStyle({}), runs: runsOfBlocks(blocks) }]);

const textOf = (runs: readonly Run[]): string => runs.map((run) => run.text).join('');
const wordsOf = (text: string): readonly Run[] => (text === '' ? [] : [{ ...PLAIN, text }]);

/** Text with line breaks stays text; only a tab means cells. */
const gridOfTabbed = (text: string): Grid | null =>
  text.includes('\t') ? parseTabbed(text).map((row) => row.map(wordsOf)) : null;

function gridOfBlocks(blocks: readonly PastedBlock[]): Grid | null {
  const [table, ...others] = blocks;
  return table?.type === 'table' && others.length === 0 ? gridOfTable(table) : null;
}

/** A single copied cell fills all selected cells. */
function repeat(grid: Grid, selection: unknown, rect: CellSelection['rect']): Grid {
  const only = grid.length === 1 && grid[0]?.length === 1 ? grid[0][0] : undefined;
  if (only === undefined || !(selection instanceof CellSelection)) return grid;
  const row = Array.from({ length: rect.right - rect.left }, () => only);
  return Array.from({ length: rect.bottom - rect.top }, () => row);
}

function insertBelow(view: EditorView, context: EditContext, at: number, grid: Grid): void {
  const blocks = linesOfGrid(grid).map((runs) => ({ type: 'block' as const, ...parseStyle({}), runs }));
  const nodes = nodesOfBlocks(view.state.schema, blocks);
  if (context.mayGrow(bytesOfNodes(nodes))) view.dispatch(allowGrowth(view.state.tr.insert(at, nodes)));
}
