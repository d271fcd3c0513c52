// The tree as rows from top to bottom. Nothing here knows the DOM.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PageIndex } from '../../state/workspace/tree/page-index.ts';

/** A row that is shown: no page above it is closed. */
export type VisibleRow = {
  readonly id: DocumentId;
  readonly parent: DocumentId | null;
  /** 0 at the top. */
  readonly depth: number;
  /** Null if there are no pages below. */
  readonly isOpen: boolean | null;
  /** The place among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
};

export function visibleRows({ below }: PageIndex, closed: ReadonlySet<DocumentId>): readonly VisibleRow[] {
  const rows: VisibleRow[] = [];
  const addRows = (parent: DocumentId | null, depth: number) => {
    const ids = below.get(parent) ?? [];
    ids.forEach((id, at) => {
      const isOpen = below.has(id) ? !closed.has(id) : null;
      rows.push({ id, parent, depth, isOpen, position: at + 1, siblings: ids.length });
      if (isOpen === true) addRows(id, depth + 1);
    });
  };
  addRows(null, 0);
  return rows;
}

export const isSameRows = (a: readonly VisibleRow[], b: readonly VisibleRow[]): boolean =>
  a.length === b.length && a.every((row, at) => isSameRow(row, b[at]));

const isSameRow = (a: VisibleRow, b: VisibleRow | undefined): boolean =>
  a.id === b?.id &&
  a.parent === b.parent &&
  a.depth === b.depth &&
  a.isOpen === b.isOpen &&
  a.position === b.position &&
  a.siblings === b.siblings;

/** The row that Tab reaches: where the person was last, else the page on the screen, else the first one. */
export function tabStop(rows: readonly VisibleRow[], ...wanted: readonly (DocumentId | null)[]): DocumentId | null {
  return wanted.find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id ?? null;
}
