// Marks where only a hostile client puts them: Yjs stores the start and the end of a mark in texts only.
import * as Y from 'yjs';

/** Stores the start of a mark among the children of a node, before the child at `index`. */
export function insertMark(parent: Y.XmlFragment, index: number): void {
  const { doc } = parent;
  if (doc === null) throw new Error('the node is in no document');
  let left: Y.Item | null = null;
  let at = 0;
  for (let item = parent._first; item !== null && at < index; item = item.next) {
    if (item.countable) at += item.length;
    left = item;
  }
  const right = left === null ? parent._start : left.right;
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID));
  const content = new Y.ContentFormat('bold', {});
  const mark = new Y.Item(id, left, left?.lastId ?? null, right, right?.id ?? null, parent, null, content);
  doc.transact((transaction) => mark.integrate(transaction, 0));
}
