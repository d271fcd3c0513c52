// Says where a page of the tree is, and where it can be moved.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { MAX_TREE_LEVELS } from '../../../protocol/limits.ts';
import { type PageIndex, isInSubtree, isOpenToWorkspace, levelsOf, pathTo } from './page-index.ts';
import { type TreePlace, lastPlace } from './places.ts';

/** The present place of a page. */
export function treePlaceOf({ pages, below }: PageIndex, id: DocumentId): TreePlace {
  const parent = shownParent({ pages, below }, id);
  const siblings = below.get(parent) ?? [];
  return { parent, after: siblings[siblings.indexOf(id) - 1] ?? null };
}

/** The place of a page's copy: right after it, or below it for someone who may not create pages beside it. */
export function placeOfCopy(index: PageIndex, id: DocumentId, mayCreateAtTop: boolean): TreePlace {
  const { parent } = treePlaceOf(index, id);
  const mayBeside = parent === null ? mayCreateAtTop : mayEdit(index.pages.get(parent)?.role ?? null);
  return mayBeside ? { parent, after: id } : { parent: id, after: null };
}

/** Whether the tree allows it: not below itself, and not too deep. Rights are another question. */
export function isPlaceAllowed(index: PageIndex, id: DocumentId, { parent }: TreePlace): boolean {
  if (parent === null) return true;
  const levelsAbove = pathTo(index, parent).length + 1;
  return !isInSubtree(index, parent, id) && levelsAbove + levelsOf(index, id) <= MAX_TREE_LEVELS;
}

/**
 * Whether a move may take access from someone, so that the app has to ask the server who that is. Between two pages that
 * everyone in the workspace can open, only single guests can lose it, and the app does not ask.
 */
export function mayTakeAccess(index: PageIndex, id: DocumentId, parent: DocumentId | null): boolean {
  const page = index.pages.get(id);
  // A page that is restricted itself has no access from above; at the top it keeps what it has.
  if (page === undefined || parent === null || page.access === 'restricted') return false;
  return page.parentId !== parent && !(isOpenToWorkspace(index, id) && isOpenToWorkspace(index, parent));
}

export const isSameTreePlace = (a: TreePlace, b: TreePlace): boolean => a.parent === b.parent && a.after === b.after;

/**
 * One step with the arrow keys: up and down among its siblings, right into the sibling before it, left out of its parent.
 * Null where there is no such place.
 */
export function stepPlace(index: PageIndex, id: DocumentId, key: string): TreePlace | null {
  const { below } = index;
  const parent = shownParent(index, id);
  const siblings = below.get(parent) ?? [];
  const at = siblings.indexOf(id);
  switch (key) {
    case 'ArrowUp':
      return at === 0 ? null : { parent, after: siblings[at - 2] ?? null };
    case 'ArrowDown':
      return at === siblings.length - 1 ? null : { parent, after: siblings[at + 1] ?? null };
    case 'ArrowRight': {
      const into = siblings[at - 1];
      const place = into === undefined ? null : lastPlace(index, into, id);
      return place !== null && isPlaceAllowed(index, id, place) ? place : null;
    }
    case 'ArrowLeft':
      return parent === null ? null : { parent: shownParent(index, parent), after: parent };
    default:
      return null;
  }
}

/** The parent below which the tree shows a page: null if the person cannot see the real one. */
function shownParent({ pages, below }: PageIndex, id: DocumentId): DocumentId | null {
  const parent = pages.get(id)?.parentId ?? null;
  return parent !== null && below.get(parent)?.includes(id) === true ? parent : null;
}
