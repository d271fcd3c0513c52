// The blocks of a page that a transaction created or changed. Walks through the page only when blocks were added or
// removed, so that the cost of typing does not grow with the page.
import { bodyParts } from 'weft-document/body-parts.ts';
import type * as Y from 'yjs';

export function touchedNodes(body: Y.XmlFragment, transaction: Y.Transaction): ReadonlySet<unknown> {
  const touched = new Set<unknown>();
  for (const type of transaction.changedParentTypes.keys()) {
    if (type.parent === body && type._item?.deleted !== true) touched.add(type);
  }
  for (const node of newNodes(body, transaction)) touched.add(node);
  return touched;
}

function newNodes(body: Y.XmlFragment, transaction: Y.Transaction): readonly Y.XmlElement[] {
  if (!new Set<unknown>(transaction.changed.keys()).has(body)) return [];
  return bodyParts(body).flatMap(({ element, first: { id } }) =>
    element !== null && id.clock >= (transaction.beforeState.get(id.client) ?? 0) ? [element] : [],
  );
}
