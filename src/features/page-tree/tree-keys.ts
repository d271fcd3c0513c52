// The tree is one tab stop: these keys move within it. Which row is the stop, and what a key does on a row; nothing here
// knows the DOM.
import type { DocumentId } from '../../protocol/ids.ts';
import type { PageNode } from '../../state/workspace/page-tree.ts';

/** A row that is on the screen: no page above it is closed. */
export type VisibleRow = {
  readonly id: DocumentId;
  readonly parent: DocumentId | null;
  /** Null: no pages below. */
  readonly isOpen: boolean | null;
};

export type TreeStep =
  | { readonly do: 'focus'; readonly id: DocumentId }
  | { readonly do: 'open' | 'close' | 'newPage'; readonly id: DocumentId };

export function visibleRows(
  nodes: readonly PageNode[],
  closed: ReadonlySet<DocumentId>,
  parent: DocumentId | null = null,
): readonly VisibleRow[] {
  return nodes.flatMap(({ page: { id }, children }) => {
    const isOpen = children.length === 0 ? null : !closed.has(id);
    return [{ id, parent, isOpen }, ...(isOpen === true ? visibleRows(children, closed, id) : [])];
  });
}

/** The row that Tab reaches: where the person was last, else the page on the screen, else the first one. */
export function tabStop(rows: readonly VisibleRow[], ...wanted: readonly (DocumentId | null)[]): DocumentId | null {
  return wanted.find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id ?? null;
}

/** The step that a key takes on a row, or null if it takes none. */
export function stepOf(rows: readonly VisibleRow[], id: DocumentId, key: string): TreeStep | null {
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (row === undefined) return null;
  const focus = (to: DocumentId | null | undefined): TreeStep | null => (to == null ? null : { do: 'focus', id: to });
  switch (key) {
    case 'ArrowDown':
      return focus(rows[at + 1]?.id);
    case 'ArrowUp':
      return focus(rows[at - 1]?.id);
    case 'Home':
      return focus(rows[0]?.id);
    case 'End':
      return focus(rows.at(-1)?.id);
    case 'ArrowRight':
      return row.isOpen === false ? { do: 'open', id } : focus(row.isOpen === null ? null : rows[at + 1]?.id);
    case 'ArrowLeft':
      return row.isOpen === true ? { do: 'close', id } : focus(row.parent);
    case '+':
      return { do: 'newPage', id };
    default:
      return null;
  }
}
