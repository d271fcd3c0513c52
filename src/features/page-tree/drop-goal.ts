// Computes the goal of a dragged row from the place of the pointer over the rows. Nothing here knows the DOM.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { PageIndex } from '../../state/workspace/tree/page-index.ts';
import { type TreePlace, lastPlace } from '../../state/workspace/tree/places.ts';
import { isPlaceAllowed, isSameTreePlace, treePlaceOf } from '../../state/workspace/tree/tree-moves.ts';
import type { VisibleRow } from './visible-rows.ts';

export type DropGoal = {
  readonly place: TreePlace;
  /** The line is drawn above the row with this number, from the goal's depth on. Null: into the row `place.parent`. */
  readonly line: { readonly above: number; readonly depth: number } | null;
};

/** Share of a row's height above and below the middle part that means "into this row". */
const EDGE = 0.28;

/**
 * `y` counts in rows from the top of the first one, `depth` in steps of indentation. Returns null if the page cannot go
 * there, or is there already.
 */
export function dropGoal(
  rows: readonly VisibleRow[],
  index: PageIndex,
  dragged: DocumentId,
  pointer: { readonly y: number; readonly depth: number },
): DropGoal | null {
  const over = rows[Math.floor(pointer.y)];
  const part = pointer.y - Math.floor(pointer.y);
  const goal =
    over !== undefined && part > EDGE && part < 1 - EDGE && over.id !== dragged
      ? { place: lastPlace(index, over.id, dragged), line: null }
      : between(rows, Math.round(Math.min(Math.max(pointer.y, 0), rows.length)), pointer.depth, dragged);
  if (goal === null || !isPlaceAllowed(index, dragged, goal.place)) return null;
  return isSameTreePlace(goal.place, treePlaceOf(index, dragged)) ? null : goal;
}

/**
 * Between two rows there can be several places: behind the upper one's last child, behind the upper one, behind its
 * parent … The depth of the pointer chooses among them.
 */
function between(rows: readonly VisibleRow[], above: number, wanted: number, dragged: DocumentId): DropGoal | null {
  // The dragged row and what is below it are where they are: look past them.
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const isDragged = (row: VisibleRow | undefined): boolean => {
    for (let at = row; at !== undefined; at = at.parent === null ? undefined : rowOf.get(at.parent)) {
      if (at.id === dragged) return true;
    }
    return false;
  };
  let upperAt = above - 1;
  while (isDragged(rows[upperAt])) upperAt--;
  let lowerAt = above;
  while (isDragged(rows[lowerAt])) lowerAt++;
  const upper = rows[upperAt];
  if (upper === undefined) return { place: { parent: null, after: null }, line: { above: 0, depth: 0 } };
  const deepest = upper.isOpen === true ? upper.depth + 1 : upper.depth;
  const depth = Math.min(deepest, Math.max(rows[lowerAt]?.depth ?? 0, wanted));
  const line = { above, depth };
  if (depth > upper.depth) return { place: { parent: upper.id, after: null }, line };
  let sibling: VisibleRow | undefined = upper;
  while (sibling !== undefined && sibling.depth > depth) {
    sibling = sibling.parent === null ? undefined : rowOf.get(sibling.parent);
  }
  return sibling === undefined ? null : { place: { parent: sibling.parent, after: sibling.id }, line };
}
