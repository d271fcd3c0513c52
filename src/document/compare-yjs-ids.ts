// An order of elements that is the same on every client, so that all of them pick the same of several copies.
import type * as Y from 'yjs';

/** Compares who created the elements (the Yjs client id), then when. Elements outside a document count as equal. */
export function compareYjsIds(a: Y.XmlElement, b: Y.XmlElement): number {
  const [idA, idB] = [a._item?.id, b._item?.id];
  if (idA === undefined || idB === undefined) return 0;
  return idA.client - idB.client || idA.clock - idB.clock;
}
