// A column stores its width and its alignment on its cells. The topmost cell that has a value decides, so two people
// who change two columns merge, and so does a row inserted above.
import type * as Y from 'yjs';
import { ALIGNMENTS, type Alignment } from '../blocks/block.ts';
import { setAttribute } from '../set-attribute.ts';

/** Limits of a column's width in px. */
export const MIN_WIDTH = 48;
export const MAX_WIDTH = 800;

export type Columns = {
  /** In px; null for an automatic width. */
  readonly widths: readonly (number | null)[];
  /** Null for the start of the writing direction. */
  readonly alignments: readonly (Alignment | null)[];
};

/** A stored width in px, or null if there is none or it is out of range. */
export const parseWidth = (width: unknown): number | null =>
  typeof width === 'number' && width >= MIN_WIDTH && width <= MAX_WIDTH ? Math.round(width) : null;

export const parseAlignment = (value: unknown): Alignment | null => ALIGNMENTS.find((one) => one === value) ?? null;

type Attributes = Readonly<Record<string, unknown>>;

/** `rows`: the attributes of the cells, row by row. */
export function parseColumns(rows: readonly (readonly Attributes[])[]): Columns {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths: (number | null)[] = Array.from({ length: columns }, () => null);
  const alignments: (Alignment | null)[] = Array.from({ length: columns }, () => null);
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] ??= parseWidth(cell['width']);
      alignments[at] ??= parseAlignment(cell['align']);
    }
  }
  return { widths, alignments };
}

/** The cells of a table, row by row. */
export type CellElements = readonly (readonly Y.XmlElement[])[];

export const columnsOfCells = (cells: CellElements): Columns =>
  parseColumns(cells.map((row) => row.map((cell): Attributes => cell.getAttributes())));

/** Null means automatic width. */
export function writeColumnWidth(cells: CellElements, column: number, width: number | null): void {
  const value = width === null ? null : Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
  setColumn(cells, column, { name: 'width', value, parse: parseWidth });
}

export const setColumnAlignment = (cells: CellElements, column: number, value: Alignment | null): void =>
  setColumn(cells, column, { name: 'align', value, parse: parseAlignment });

type ColumnChange = {
  readonly name: 'width' | 'align';
  /** Null removes it from all cells of the column. */
  readonly value: number | string | null;
  readonly parse: (value: unknown) => unknown;
};

function setColumn(cells: CellElements, column: number, { name, value, parse }: ColumnChange): void {
  const inColumn = cells.flatMap((row) => row[column] ?? []);
  const stored = (cell: Y.XmlElement): unknown => cell.getAttribute(name);
  const holder = inColumn.find((cell) => parse(stored(cell)) !== null) ?? inColumn[0];
  if (value !== null && holder !== undefined) setAttribute(holder, name, value);
  if (value === null) for (const cell of inColumn) if (stored(cell) !== undefined) cell.removeAttribute(name);
}

/** Call it before rows are deleted: what they store of the columns goes to the first row that stays. */
export function keepColumns(all: CellElements, staying: CellElements): void {
  const [before, after] = [columnsOfCells(all), columnsOfCells(staying)];
  for (const [at, cell] of (staying[0] ?? []).entries()) {
    const [width, align] = [before.widths[at] ?? null, before.alignments[at] ?? null];
    if (width !== null && after.widths[at] !== width) setAttribute(cell, 'width', width);
    if (align !== null && after.alignments[at] !== align) setAttribute(cell, 'align', align);
  }
}
