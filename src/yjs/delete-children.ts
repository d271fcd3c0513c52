// When Yjs deletes children of a fragment or an element, it counts the start and the end of a mark as a child, which it
// does nowhere else. Only texts should hold marks, but a hostile person can store them anywhere. Yjs would delete them in
// place of children, and the editor would then show a page that the document does not have. Here the marks go first.
import * as Y from 'yjs';
import { assert } from '../lib/assert.ts';

const deleteChildren: unknown = Reflect.get(Y.XmlFragment.prototype, 'delete');
assert(typeof deleteChildren === 'function', 'the pinned version of Yjs has this method');

Y.XmlFragment.prototype.delete = function deleteWithMarks(index, length = 1) {
  const run = () => void Reflect.apply(deleteChildren, this, [index, length]);
  if (this.doc === null) run();
  else {
    this.doc.transact((transaction) => {
      for (const mark of marksBetween(this, index, index + length)) mark.delete(transaction);
      run();
    });
  }
};

/** The marks before and between the children, but not behind the last one, where Yjs no longer counts. */
function marksBetween(parent: Y.XmlFragment, from: number, to: number): readonly Y.Item[] {
  const marks: Y.Item[] = [];
  let at = 0;
  for (let item = parent._first; item !== null && at < to; item = item.next) {
    if (item.countable) at += item.length;
    else if (at >= from) marks.push(item);
  }
  return marks;
}
