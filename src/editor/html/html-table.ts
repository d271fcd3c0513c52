// Reads tables from HTML and from tab-separated text into plain values, and writes them as such text. Knows no editor.
import type { Alignment, Run } from 'weft-document/blocks/block.ts';
import { type DetachedTable, joinRuns, plainRun } from 'weft-document/blocks/detached-block.ts';
import { parseAlignment } from 'weft-document/tables/table-columns.ts';
import { MAX_COLUMNS, MAX_ROWS } from 'weft-document/tables/table-grid.ts';

export type Grid = readonly (readonly (readonly Run[])[])[];
type ReadCell = (cell: Element) => readonly Run[];

/** A table with one cell is layout (emails, Word). A table inside another table belongs to its cell. */
export function isDataTable(table: Element): boolean {
  return cellsIn(table).flat().length > 1 && table.parentElement?.closest('td, th') == null;
}

/** Null if the table is too large. */
export function parseHtmlTable(element: Element, read: ReadCell): DetachedTable | null {
  const lines = cellsIn(element);
  // Spans are expanded before text is read, so that a table that is too large is detected by its size alone.
  const spread = lines.length > MAX_ROWS ? null : expandSpans(lines);
  if (spread === null) return null;
  const isHead = (cell: Element | undefined) => cell?.tagName.toUpperCase() === 'TH';
  const first = lines[0] ?? [];
  const headRow = element.querySelector(':scope > thead') !== null || (first.length > 0 && first.every(isHead));
  return {
    type: 'table',
    headRow,
    alignments: alignmentsIn(spread, headRow),
    headColumn: lines.length > 1 && lines.slice(1).every((line) => isHead(line[0])),
    rows: spread.map((line) => line.map((cell) => ({ runs: cell === null ? [] : read(cell) }))),
  };
}

export const gridOfTable = ({ rows }: DetachedTable): Grid => rows.map((row) => row.map(({ runs }) => runs));

/** Each row as one line, with tabs between the cells. */
export const tableLines = (element: Element, read: ReadCell): Grid[number] =>
  linesOfGrid(cellsIn(element).map((line) => line.map(read)));

export const linesOfGrid = (grid: Grid): Grid[number] =>
  grid.map((row) => joinRuns(row.flatMap((runs, at) => (at === 0 ? runs : [plainRun('\t'), ...runs]))));

export const fitsTable = (grid: readonly (readonly unknown[])[], top = 0, left = 0): boolean =>
  top + grid.length <= MAX_ROWS && left + grid.reduce((most, row) => Math.max(most, row.length), 0) <= MAX_COLUMNS;

/** Tab-separated lines of a spreadsheet, of any size; null if the text has another form. */
export function gridOfText(text: string): readonly (readonly string[])[] | null {
  if (!text.includes('\t')) return null;
  const rows = parseTabbed(text);
  const columns = rows[0]?.length ?? 0;
  // Lines that begin with a tab are indented text.
  const isIndented = rows.every(([first]) => first === '');
  return rows.length > 1 && columns > 1 && !isIndented && rows.every((row) => row.length === columns) ? rows : null;
}

/** The format of spreadsheets: a cell with line breaks, tabs or quotes is quoted. */
export function parseTabbed(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/gy;
  while (pattern.lastIndex <= text.length) {
    const match = pattern.exec(text);
    if (match === null) break;
    const [all, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    if (end === '' || all === '') break;
  }
  // The last line ends with a line break like the others.
  const last = rows.at(-1);
  if (rows.length > 1 && last?.length === 1 && last[0] === '') rows.pop();
  return rows.filter((row) => row.length > 0);
}

export const tabbedText = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\n');

function cellsIn(table: Element): readonly (readonly Element[])[] {
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
  return rows.map((row) => [...row.children].filter((cell) => /^T[DH]$/i.test(cell.tagName)));
}

/** A column is aligned if all its cells below the header row are: the header row of many programs is centered. */
function alignmentsIn(rows: readonly (readonly (Element | null)[])[], headRow: boolean): readonly (Alignment | null)[] {
  const below = headRow && rows.length > 1 ? rows.slice(1) : rows;
  return (rows[0] ?? []).map((_cell, x) => {
    const cells = below.flatMap((row) => row[x] ?? []);
    const [first, ...others] = cells.map(alignmentOf);
    return first !== undefined && others.every((one) => one === first) ? first : null;
  });
}

function alignmentOf(cell: Element): Alignment | null {
  const style = cell instanceof HTMLElement ? cell.style.textAlign : '';
  return parseAlignment(style === '' ? cell.getAttribute('align')?.toLowerCase() : style);
}

/** A cell that spans rows or columns goes into the first of them. Null if there are too many columns. */
function expandSpans(lines: readonly (readonly Element[])[]): readonly (readonly (Element | null)[])[] | null {
  const grid: (Element | null | undefined)[][] = lines.map(() => []);
  let columns = 0;
  for (const [y, line] of lines.entries()) {
    let x = 0;
    for (const cell of line) {
      while (grid[y]?.[x] !== undefined) x++;
      if (x >= MAX_COLUMNS) return null;
      // A heading over all columns often claims more than there are: only columns in which a cell begins count.
      columns = Math.max(columns, x + 1);
      const across = Math.min(spanOf(cell, 'colspan', 1), MAX_COLUMNS - x);
      const down = spanOf(cell, 'rowspan', MAX_ROWS);
      for (let dy = 0; dy < down && y + dy < lines.length; dy++) {
        for (let dx = 0; dx < across; dx++) {
          const row = grid[y + dy];
          if (row !== undefined) row[x + dx] = dx + dy === 0 ? cell : null;
        }
      }
      x += across;
    }
  }
  return grid.map((row) => Array.from({ length: columns }, (_none, x) => row[x] ?? null));
}

/** `none`: what 0 means. */
function spanOf(cell: Element, name: string, none: number): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '', 10);
  return span === 0 ? none : span > 0 ? Math.min(span, MAX_ROWS) : 1;
}
