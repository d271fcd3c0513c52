// Positions in a table of an editor state: the cell around a position, the position of a cell.
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { CELL, ROW, TABLE } from 'weft-document/names.ts';
import { type Columns, parseColumns } from 'weft-document/tables/table-columns.ts';
import { sizeOf } from './size-of.ts';

/** A table of the page: `at` is the position before it, `index` its index among the page's nodes. */
export type PlacedTable = { readonly node: Node; readonly at: number; readonly index: number };
export type PlacedCell = {
  readonly table: PlacedTable;
  readonly node: Node;
  /** The position before the cell. */
  readonly at: number;
  readonly row: number;
  readonly column: number;
};

export const isTableNode = (node: Node | null | undefined): node is Node => node?.type.name === TABLE;
export const isCellNode = (node: Node | null | undefined): node is Node => node?.type.name === CELL;

export function tableAround($pos: ResolvedPos): PlacedTable | null {
  if ($pos.depth === 0) return isTableNode($pos.nodeAfter) ? placed($pos, $pos.pos, $pos.nodeAfter) : null;
  const node = $pos.node(1);
  return isTableNode(node) ? placed($pos, $pos.before(1), node) : null;
}

const placed = ($pos: ResolvedPos, at: number, node: Node): PlacedTable => ({ node, at, index: $pos.index(0) });

/** The cell that contains the position or begins right after it. */
export function cellAround($pos: ResolvedPos): PlacedCell | null {
  const table = tableAround($pos);
  if (table === null || $pos.depth < 2 || $pos.node(2).type.name !== ROW) return null;
  const node = $pos.depth > 2 ? $pos.node(3) : $pos.nodeAfter;
  if (!isCellNode(node)) return null;
  return {
    table,
    node,
    at: $pos.depth > 2 ? $pos.before(3) : $pos.pos,
    row: $pos.index(1),
    column: $pos.index(2),
  };
}

/** The number of cells in the longest row. */
export function columnCount(table: Node): number {
  let most = 0;
  table.forEach((row) => {
    most = Math.max(most, row.childCount);
  });
  return most;
}

/** The widths and alignments of a table's columns. */
export const columnsOfNode = (table: Node): Columns =>
  parseColumns(table.children.map((row) => row.children.map((cell) => cell.attrs)));

/**
 * The position before a cell. In a row that is too short, the position before its last cell. Null if there is no cell.
 */
export function cellPosition(table: Pick<PlacedTable, 'node' | 'at'>, row: number, column: number): number | null {
  const line = table.node.maybeChild(row);
  if (line === null || line.childCount === 0) return null;
  const start = table.at + 1 + sizeOf(table.node, 0, row) + 1;
  return start + sizeOf(line, 0, Math.min(column, line.childCount - 1));
}
