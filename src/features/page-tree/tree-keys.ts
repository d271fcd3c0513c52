// The effects of keys in the tree of pages, which is one tab stop.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PageIndex } from '../../state/workspace/tree/page-index.ts';
import type { TreePlace } from '../../state/workspace/tree/places.ts';
import { stepPlace } from '../../state/workspace/tree/tree-moves.ts';
import type { VisibleRow } from './visible-rows.ts';

export type TreeStep =
  | { readonly do: 'focus' | 'open' | 'close' | 'newPage' | 'rename' | 'duplicate' | 'trash'; readonly id: DocumentId }
  | { readonly do: 'undo' }
  | { readonly do: 'move'; readonly id: DocumentId; readonly to: TreePlace };

export type Key = {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
};

/** Returns null for keys that do nothing here. `id`: the row with the focus; null if the tree has it. */
export function stepOf(
  rows: readonly VisibleRow[],
  index: PageIndex,
  id: DocumentId | null,
  key: Key,
): TreeStep | null {
  // Also without a row: the last page of the tree may be the one that was trashed.
  if (isUndoKey(key)) return { do: 'undo' };
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (id === null || row === undefined) return null;
  if (key.ctrlKey || key.metaKey) {
    return key.key.toLowerCase() === 'd' && !key.altKey ? { do: 'duplicate', id } : null;
  }
  if (key.altKey) {
    const to = stepPlace(index, id, key.key);
    return to === null ? null : { do: 'move', id, to };
  }
  const focus = (to: DocumentId | null | undefined): TreeStep | null => (to == null ? null : { do: 'focus', id: to });
  switch (key.key) {
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
    case 'F2':
      return { do: 'rename', id };
    case 'Delete':
      return { do: 'trash', id };
    default:
      // The key that a Mac calls Delete.
      return key.key === 'Backspace' ? { do: 'trash', id } : null;
  }
}

const isUndoKey = (key: Key): boolean =>
  (key.ctrlKey || key.metaKey) && !key.altKey && !key.shiftKey && key.key.toLowerCase() === 'z';
