// Gives an id to each block that an own edit makes; the second half of a split gets a new one. Never on load and
// never for what others made: that would be a write nobody asked for (T8, I10).
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { newBlockId } from '../../document/new-block-id.ts';
import { AttributesStep, type Attributes } from '../schema/attributes-step.ts';
import { comesFromDocument } from '../binding/binding-of.ts';

export const BlockIds = Extension.create({
  name: 'blockIds',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction(transactions, before, after) {
        if (!transactions.some((one) => one.docChanged) || transactions.some(comesFromDocument)) return null;
        return giveIds(before.doc, after.doc, after.tr);
      },
    }),
  ],
});

function giveIds(before: Node, after: Node, transaction: Transaction): Transaction | null {
  const [from, to] = changedChildren(before, after);
  // Typing in one block is nearly every transaction: no walk through the page then.
  if (to - from === 1 && before.childCount === after.childCount) {
    const id: unknown = after.child(from).attrs['id'];
    if (typeof id === 'string' && id === before.child(from).attrs['id']) return null;
  }
  const used = new Set<unknown>();
  const ids = new Map<number, Attributes>();
  after.forEach((node, at, index) => {
    const id: unknown = node.attrs['id'];
    const isTaken = typeof id !== 'string' || used.has(id);
    // What stands before the change keeps its id; a double behind it is somebody else's business.
    if (isTaken && index >= from && index < to) ids.set(at, { id: newBlockId() });
    used.add(id);
  });
  return ids.size > 0 ? transaction.step(new AttributesStep(ids)) : null;
}

/** Index range of the children in `after` that are not the very nodes of `before`. */
function changedChildren(before: Node, after: Node): readonly [number, number] {
  const shared = Math.min(before.childCount, after.childCount);
  let left = 0;
  while (left < shared && before.child(left) === after.child(left)) left++;
  let right = 0;
  while (
    right < shared - left &&
    before.child(before.childCount - 1 - right) === after.child(after.childCount - 1 - right)
  ) {
    right++;
  }
  return [left, after.childCount - right];
}
