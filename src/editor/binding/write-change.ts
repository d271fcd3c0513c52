// Writes the editor's page into the document. Nearly every edit is in one block or cell, so only that one is compared.
// y-tiptap, which does the rest, compares all blocks of the page, and all cells of a table, at each key.
import type { Node } from '@tiptap/pm/model';
import { type ProsemirrorBinding, updateYFragment } from '@tiptap/y-tiptap';
import type { PageNodeMap } from '../schema/unknown-node.ts';

/** Call inside a transaction of the document. */
export function writeChange(binding: ProsemirrorBinding, nodes: PageNodeMap, page: Node): void {
  const { syncedPage } = nodes;
  if (syncedPage === null || !writeSingleChange(binding, nodes, syncedPage, page)) {
    updateYFragment(binding.doc, binding.type, page, binding);
  }
  nodes.syncedPage = page;
}

/** Returns false and writes nothing unless exactly one child changed and its Yjs element is known. */
function writeSingleChange(binding: ProsemirrorBinding, nodes: PageNodeMap, before: Node, after: Node): boolean {
  const at = singleChangedChild(before, after);
  if (at === null) return false;
  const [old, changed] = [before.child(at), after.child(at)];
  const element = nodes.elementOf(old);
  if (element === null || element.nodeName !== changed.type.name) return false;
  const isInside = !changed.isTextblock && !changed.isLeaf && changed.sameMarkup(old);
  if (isInside && writeSingleChange(binding, nodes, old, changed)) nodes.set(element, changed);
  else updateYFragment(binding.doc, element, changed, binding);
  return true;
}

function singleChangedChild(before: Node, after: Node): number | null {
  if (before.childCount !== after.childCount) return null;
  let from = 0;
  let to = before.childCount - 1;
  while (from <= to && before.child(from) === after.child(from)) from++;
  while (to > from && before.child(to) === after.child(to)) to--;
  return from === to ? from : null;
}
