// Table commands that write to the Yjs document itself. Through the editor, a new column would be many changed rows,
// and a comparison would have to guess which cell is which. Here it is known, and text that others type meanwhile stays
// in its cell.
import { Selection, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Alignment } from 'weft-document/blocks/block.ts';
import { elementAt } from 'weft-document/body-parts.ts';
import { bodyOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { setColumnAlignment, writeColumnWidth as setWidth } from 'weft-document/tables/table-columns.ts';
import {
  MAX_COLUMNS,
  MAX_ROWS,
  type LineKind,
  type Rect,
  cellGrid,
  clearCells,
  columnsOf,
  deleteColumns,
  deleteRows,
  duplicateColumn,
  duplicateRow,
  insertColumns,
  insertRows,
  isTable,
  moveColumn,
  moveRow,
} from 'weft-document/tables/table-grid.ts';
import { asOneStep } from 'weft-document/undo.ts';
import type * as Y from 'yjs';
import { EDITOR_ORIGIN, documentOf } from '../binding/binding-of.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { type PlacedTable, cellAround, cellPosition, columnCount, tableAround } from '../schema/table-position.ts';
import { CellSelection, selectCells } from './table-selection.ts';

/** Estimated log size of a cell with its text node (measured with 1,000 of them: 41 bytes each). */
export const CELL_BYTES = 60;

/** The selection in a table: its cells, and the cell with the caret. */
export type TableTarget = {
  readonly table: PlacedTable;
  readonly rect: Rect;
  readonly row: number;
  readonly column: number;
};

export function tableTarget(selection: Selection): TableTarget | null {
  if (selection instanceof CellSelection) {
    const cell = cellAround(selection.$headCell);
    return cell === null ? null : { table: cell.table, rect: selection.rect, row: cell.row, column: cell.column };
  }
  const cell = cellAround(selection.$head);
  if (cell === null || cell.at !== cellAround(selection.$anchor)?.at) return null;
  const { table, row, column } = cell;
  return { table, row, column, rect: { top: row, left: column, bottom: row + 1, right: column + 1 } };
}

/** The whole row or column of the target's cell and no other, whatever is selected. */
export function wholeLine({ table, row, column }: TableTarget, line: LineKind): TableTarget {
  const all = { top: 0, left: 0, bottom: table.node.childCount, right: columnCount(table.node) };
  const rect = line === 'row' ? { ...all, top: row, bottom: row + 1 } : { ...all, left: column, right: column + 1 };
  return { table, row, column, rect };
}

/** The table's element in the document. */
export function tableInDocument({ state }: EditorView, { index }: PlacedTable): Y.XmlElement | null {
  const doc = documentOf(state);
  const node = doc === null ? null : elementAt(bodyOf(doc), index);
  return isTable(node) ? node : null;
}

/**
 * Runs a change of a table, which adds `bytes`, as one local edit and undo step. False if it may not be made or has no
 * room.
 */
export function changeTable(
  view: EditorView,
  context: EditContext,
  placed: PlacedTable,
  run: (table: Y.XmlElement) => void,
  bytes = 0,
): boolean {
  const table = tableInDocument(view, placed);
  const doc = documentOf(view.state);
  if (table === null || doc === null || !view.editable) return false;
  if (bytes > 0 && !context.mayGrow(bytes)) return false;
  asOneStep(context.undo, () => doc.transact(() => run(table), EDITOR_ORIGIN));
  return true;
}

/** Inserts rows or columns before `at`. The caret goes into the first new one. */
export function insertLines(
  view: EditorView,
  context: EditContext,
  target: TableTarget,
  line: LineKind,
  at: number,
  count = 1,
): boolean {
  const table = tableInDocument(view, target.table);
  if (table === null) return false;
  const [rows, columns] = [table.length, columnsOf(table)];
  const isTooMany = line === 'row' ? rows + count > MAX_ROWS : columns + count > MAX_COLUMNS;
  if (isTooMany) return false;
  const bytes = count * (line === 'row' ? columns : rows) * CELL_BYTES;
  const insert = line === 'row' ? insertRows : insertColumns;
  if (!changeTable(view, context, target.table, (one) => insert(one, at, count), bytes)) return false;
  placeCaretInLine(view, target, line, at);
  return true;
}

/** Deletes the selected rows or columns. If no others are left, deletes the table. */
export function deleteLines(view: EditorView, context: EditContext, target: TableTarget, line: LineKind): boolean {
  const table = tableInDocument(view, target.table);
  if (table === null) return false;
  const { rect } = target;
  const isAll =
    line === 'row' ? rect.top === 0 && rect.bottom >= table.length : rect.left === 0 && rect.right >= columnsOf(table);
  if (isAll) return deleteTable(view, target.table);
  const isDone = changeTable(view, context, target.table, (one) =>
    line === 'row' ? deleteRows(one, rect.top, rect.bottom) : deleteColumns(one, rect.left, rect.right),
  );
  if (isDone) placeCaretInLine(view, target, line, line === 'row' ? rect.top : rect.left);
  return isDone;
}

export function deleteTable(view: EditorView, { node, at }: PlacedTable): boolean {
  if (!view.editable) return false;
  const transaction = view.state.tr.delete(at, at + node.nodeSize);
  const $at = transaction.doc.resolve(Math.min(at, transaction.doc.content.size));
  view.dispatch(transaction.setSelection(Selection.near($at)).scrollIntoView());
  return true;
}

/** Moves the row or column of the caret past the next one (1) or the one before it (-1). */
export function moveLine(
  view: EditorView,
  context: EditContext,
  target: TableTarget,
  line: LineKind,
  by: 1 | -1,
): boolean {
  const table = tableInDocument(view, target.table);
  if (table === null) return false;
  const from = line === 'row' ? target.row : target.column;
  const to = from + by;
  if (to < 0 || to >= (line === 'row' ? table.length : columnsOf(table))) return false;
  const move = line === 'row' ? moveRow : moveColumn;
  if (!changeTable(view, context, target.table, (one) => move(one, from, to))) return false;
  placeCaretInLine(view, target, line, to);
  return true;
}

export function duplicateLine(view: EditorView, context: EditContext, target: TableTarget, line: LineKind): boolean {
  const table = tableInDocument(view, target.table);
  if (table === null) return false;
  const [rows, columns] = [table.length, columnsOf(table)];
  if (line === 'row' ? rows >= MAX_ROWS : columns >= MAX_COLUMNS) return false;
  const run = line === 'row' ? duplicateRow : duplicateColumn;
  const at = line === 'row' ? target.row : target.column;
  const bytes = (line === 'row' ? columns : rows) * CELL_BYTES + target.table.node.textContent.length;
  if (!changeTable(view, context, target.table, (one) => run(one, at), bytes)) return false;
  placeCaretInLine(view, target, line, at + 1);
  return true;
}

/** Clears the text of the selected cells, or of the whole row or column. */
export const clearLine = (
  view: EditorView,
  context: EditContext,
  { table, rect }: TableTarget,
  line: LineKind | null,
): boolean =>
  changeTable(view, context, table, (one) => {
    if (line === 'row') clearCells(one, { ...rect, left: 0, right: columnsOf(one) });
    else if (line === 'column') clearCells(one, { ...rect, top: 0, bottom: one.length });
    else clearCells(one, rect);
  });

/** Turns the header row or header column on or off. */
export const toggleHeader = (view: EditorView, context: EditContext, table: PlacedTable, line: LineKind): boolean =>
  changeTable(view, context, table, (one) => {
    const name = line === 'row' ? 'headRow' : 'headColumn';
    const isOn: unknown = one.getAttribute(name);
    if (isOn === true) one.removeAttribute(name);
    else setAttribute(one, name, true);
  });

/** In px; null means automatic. */
export const setColumnWidth = (
  view: EditorView,
  context: EditContext,
  table: PlacedTable,
  column: number,
  width: number | null,
): boolean => changeTable(view, context, table, (one) => setWidth(cellGrid(one), column, width));

/** Aligns the text of the selected columns; null lets it begin where its writing begins. */
export const alignColumns = (
  view: EditorView,
  context: EditContext,
  { table, rect }: TableTarget,
  alignment: Alignment | null,
): boolean =>
  changeTable(view, context, table, (one) => {
    for (let column = rect.left; column < rect.right; column++) setColumnAlignment(cellGrid(one), column, alignment);
  });

/** Selects the cells of a rectangle. */
export function selectRect(view: EditorView, table: PlacedTable, rect: Rect): void {
  const selection = selectCells(view.state.doc, table, rect);
  if (selection !== null) view.dispatch(view.state.tr.setSelection(selection));
}

const placeCaretInLine = (view: EditorView, { table, row, column }: TableTarget, line: LineKind, at: number): void =>
  placeCaretInCell(view, table, line === 'row' ? at : row, line === 'row' ? column : at);

/** Puts the caret into a cell of a table that may have changed since `placed`. */
export function placeCaretInCell(view: EditorView, placed: PlacedTable, row: number, column: number): void {
  const { doc, tr } = view.state;
  const table = tableAround(doc.resolve(placed.at));
  if (table === null) return;
  const last = Math.max(0, table.node.childCount - 1);
  const at = cellPosition(table, Math.min(row, last), column);
  if (at === null) return;
  const cell = doc.nodeAt(at);
  view.dispatch(tr.setSelection(TextSelection.create(doc, at + 1 + (cell?.content.size ?? 0))).scrollIntoView());
}
