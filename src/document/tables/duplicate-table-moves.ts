// When two people move the same row or column at once, two copies remain (T2 in docs/losses.md). Every client picks the
// same copy to keep, and the creator of the other one removes it. A copy that differs by now stays too.
import type * as Y from 'yjs';
import { compareYjsIds } from '../compare-yjs-ids.ts';
import { MOVED, cellsOf, rowsOf } from './table-grid.ts';

/** Runs in a transaction of its own with `origin`, and only if there is something to remove. */
export function removeOwnTableDuplicates(table: Y.XmlElement, client: number, origin: object): void {
  const rows = rowsOf(table);
  const lostRows = ownDuplicates(rows, client);
  // Remove a column only if it is a duplicate in every row: otherwise the table would become ragged.
  const candidates = rows.map((row) => ownDuplicates(cellsOf(row), client));
  const first = candidates[0] ?? [];
  const lostColumns = first.filter((at) => candidates.every((one) => one.includes(at)));
  if (lostRows.length === 0 && lostColumns.length === 0) return;
  table.doc?.transact(() => {
    for (const at of lostColumns.toReversed()) for (const row of rows) row.delete(at, 1);
    for (const at of lostRows.toReversed()) table.delete(at, 1);
  }, origin);
}

/** Indexes of the copies that this client created and that lose to another copy. */
function ownDuplicates(nodes: readonly Y.XmlElement[], client: number): readonly number[] {
  const first = new Map<unknown, Y.XmlElement>();
  for (const node of nodes.toSorted(compareYjsIds)) {
    const moved: unknown = node.getAttribute(MOVED);
    if (moved !== undefined && !first.has(moved)) first.set(moved, node);
  }
  return nodes.flatMap((node, at) => {
    const winner = first.get(node.getAttribute(MOVED));
    const isLost =
      winner !== undefined && winner !== node && node._item?.id.client === client && hasSameContent(node, winner);
    return isLost ? [at] : [];
  });
}

const hasSameContent = (one: Y.XmlElement, other: Y.XmlElement): boolean => one.toString() === other.toString();
