// Reads tables in the Y.Doc and changes them in place: an edit leaves alone what others type in the cells that it does
// not touch. Rows may differ in length (T13; T2 and T13 are in docs/losses.md). Every client draws the missing cells of
// a short row, but only a client that needs one writes it.
import * as Y from 'yjs';
import type { Run } from '../blocks/block.ts';
import { markAttributes } from '../blocks/mark-attributes.ts';
import { CELL, ROW, TABLE } from '../names.ts';
import { setAttribute } from '../set-attribute.ts';
import { type CellElements, keepColumns } from './table-columns.ts';

/** Larger tables are imported as text. */
export const MAX_COLUMNS = 100;
export const MAX_ROWS = 2000;

/** A rectangle of cells: `bottom` and `right` are exclusive. */
export type Rect = { readonly top: number; readonly left: number; readonly bottom: number; readonly right: number };
export type LineKind = 'row' | 'column';
export type CellRuns = readonly Run[];

export const isTable = (node: unknown): node is Y.XmlElement => node instanceof Y.XmlElement && node.nodeName === TABLE;

export const rowsOf = (table: Y.XmlElement): readonly Y.XmlElement[] => childrenOf(table, ROW);
export const cellsOf = (row: Y.XmlElement): readonly Y.XmlElement[] => childrenOf(row, CELL);

/** The number of columns drawn: the length of the longest row. */
export const columnsOf = (table: Y.XmlElement): number =>
  rowsOf(table).reduce((most, row) => Math.max(most, row.length), 0);

/** The cells of a table, row by row. */
export const cellGrid = (table: Y.XmlElement): CellElements => rowsOf(table).map(cellsOf);

export function insertRows(table: Y.XmlElement, at: number, count: number): void {
  const columns = Math.max(1, columnsOf(table));
  const empty = Array.from({ length: columns }, () => []);
  table.insert(
    at,
    Array.from({ length: count }, () => makeRow(empty)),
  );
}

/** Only inserts into rows that reach this column. In a shorter row the new cell is one of its missing cells. */
export function insertColumns(table: Y.XmlElement, at: number, count: number): void {
  const longest = columnsOf(table);
  for (const row of rowsOf(table)) {
    if (row.length < at || (row.length < longest && row.length === at)) continue;
    row.insert(
      at,
      Array.from({ length: count }, () => createCell([])),
    );
  }
}

/** `to` is exclusive, here and for columns. */
export function deleteRows(table: Y.XmlElement, from: number, to: number): void {
  const rows = cellGrid(table);
  keepColumns(rows, [...rows.slice(0, from), ...rows.slice(to)]);
  table.delete(from, Math.min(to, rows.length) - from);
}

export function deleteColumns(table: Y.XmlElement, from: number, to: number): void {
  for (const row of rowsOf(table)) {
    const count = Math.min(to, row.length) - from;
    if (count > 0) row.delete(from, count);
  }
}

/** Moves a row to the index that the row at `to` has now. */
export function moveRow(table: Y.XmlElement, from: number, to: number): void {
  const row = rowsOf(table)[from];
  if (row === undefined || from === to) return;
  const copy = copyOf(row, true);
  table.delete(from, 1);
  table.insert(to, [copy]);
}

/** Moves a column to the index that the column at `to` has now. */
export function moveColumn(table: Y.XmlElement, from: number, to: number): void {
  if (from === to) return;
  for (const row of rowsOf(table)) {
    if (row.length <= Math.min(from, to)) continue;
    padRow(row, Math.max(from, to) + 1);
    const cell = cellsOf(row)[from];
    if (cell === undefined) continue;
    const copy = copyOf(cell, true);
    row.delete(from, 1);
    row.insert(to, [copy]);
  }
}

/** Inserts a copy after the row. */
export function duplicateRow(table: Y.XmlElement, at: number): void {
  const row = rowsOf(table)[at];
  if (row !== undefined) table.insert(at + 1, [copyOf(row, false)]);
}

/** Inserts a copy after the column. */
export function duplicateColumn(table: Y.XmlElement, at: number): void {
  for (const row of rowsOf(table)) {
    const cell = cellsOf(row)[at];
    if (cell !== undefined) row.insert(at + 1, [copyOf(cell, false)]);
  }
}

/** The cell at this position. Creates it if the row is too short. Null if there is no such row. */
export function cellAt(table: Y.XmlElement, row: number, column: number): Y.XmlElement | null {
  const element = rowsOf(table)[row];
  if (element === undefined) return null;
  padRow(element, column + 1);
  return cellsOf(element)[column] ?? null;
}

/** Missing cells need no clearing. */
export function clearCells(table: Y.XmlElement, { top, left, bottom, right }: Rect): void {
  for (const row of rowsOf(table).slice(top, bottom)) {
    for (const cell of cellsOf(row).slice(left, right)) writeCell(cell, []);
  }
}

/** Writes a block of cells into the table, which grows as needed. The caller respects the limits. */
export function writeCells(
  table: Y.XmlElement,
  at: Pick<Rect, 'top' | 'left'>,
  rows: readonly (readonly CellRuns[])[],
) {
  const missing = at.top + rows.length - table.length;
  if (missing > 0) insertRows(table, table.length, missing);
  const columns = at.left + Math.max(0, ...rows.map((row) => row.length));
  if (columns > columnsOf(table)) for (const row of rowsOf(table)) padRow(row, columns);
  for (const [y, cells] of rows.entries()) {
    for (const [x, runs] of cells.entries()) {
      const cell = cellAt(table, at.top + y, at.left + x);
      if (cell !== null) writeCell(cell, runs);
    }
  }
}

/** The text of a cell. Creates it if a client left it out. */
export function textOfCell(cell: Y.XmlElement): Y.XmlText {
  const first = cell.toArray().find((child) => child instanceof Y.XmlText);
  if (first !== undefined) return first;
  const text = new Y.XmlText();
  cell.insert(0, [text]);
  return text;
}

function writeCell(cell: Y.XmlElement, runs: CellRuns): void {
  const text = textOfCell(cell);
  if (text.length > 0) text.delete(0, text.length);
  if (runs.length > 0) text.applyDelta(deltaOf(runs));
}

function padRow(row: Y.XmlElement, columns: number): void {
  const missing = columns - row.length;
  if (missing <= 0) return;
  row.insert(
    row.length,
    Array.from({ length: missing }, () => createCell([])),
  );
}

function makeRow(cells: readonly CellRuns[]): Y.XmlElement {
  const row = new Y.XmlElement(ROW);
  row.insert(0, cells.map(createCell));
  return row;
}

function createCell(runs: CellRuns): Y.XmlElement {
  const cell = new Y.XmlElement(CELL);
  const text = new Y.XmlText();
  if (runs.length > 0) text.applyDelta(deltaOf(runs));
  cell.insert(0, [text]);
  return cell;
}

const deltaOf = (runs: CellRuns) => runs.map((run) => ({ insert: run.text, attributes: markAttributes(run) }));

/** Attribute of a moved row or cell: the id of the original. It shows when two people moved the same one (T2). */
export const MOVED = 'moved';

/** The id of a row or cell that was never moved; null if it is in no document. */
export function firstIdOf({ _item: item }: Y.XmlElement): string | null {
  return item === null ? null : `${item.id.client}.${item.id.clock}`;
}

function copyOf(node: Y.XmlElement, isMoved: boolean): Y.XmlElement {
  const copy = node.clone();
  if (isMoved) {
    const known: unknown = node.getAttribute(MOVED);
    const from = typeof known === 'string' ? known : firstIdOf(node);
    if (from !== null) setAttribute(copy, MOVED, from);
  } else copy.removeAttribute(MOVED);
  return copy;
}

const childrenOf = (node: Y.XmlElement, name: string): readonly Y.XmlElement[] =>
  node.toArray().filter((child): child is Y.XmlElement => child instanceof Y.XmlElement && child.nodeName === name);
