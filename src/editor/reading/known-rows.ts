// Finds out which rows of a table changed. A table is parsed as a whole after each change, so all its rows are new objects;
// with the old ones in their place React skips what stayed the same.
import { MARKS, type Run, type TableBlock, type TableCell } from 'weft-document/blocks/block.ts';

type Row = readonly TableCell[];

/** A row as it is now, with the objects of before for what did not change. `before` is null for a new row. */
export type ComparedRow = { readonly before: Row | null; readonly now: Row };

export function compareRows(before: TableBlock, now: TableBlock): readonly ComparedRow[] {
  const known = new Map(before.rows.map((row, y) => [rowKey(row, y), row]));
  return now.rows.map((row, y) => {
    const old = known.get(rowKey(row, y)) ?? null;
    return { before: old, now: old === null ? row : withKnownCells(old, row) };
  });
}

/** A row without cells has no key, so its index is one. */
export const rowKey = (row: Row, y: number): string | number => row[0]?.key ?? y;

function withKnownCells(before: Row, now: Row): Row {
  if (before === now) return before;
  const known = new Map(before.map((cell) => [cell.key, cell]));
  const row = now.map((cell) => {
    const old = known.get(cell.key);
    return old !== undefined && isSameCell(old, cell) ? old : cell;
  });
  return before.length === row.length && row.every((cell, x) => cell === before[x]) ? before : row;
}

const isSameCell = (one: TableCell, other: TableCell): boolean =>
  one.runs.length === other.runs.length && one.runs.every((run, at) => isSameRun(run, other.runs[at]));

const isSameRun = (one: Run, other: Run | undefined): boolean =>
  one.text === other?.text && MARKS.every((mark) => one[mark] === other[mark]);
