// Gives an id to each block that a local edit creates; the second half of a split gets a new one. Never on load and
// never for others' blocks: that would be a write no one asked for (T8 in docs/losses.md, I10 in src/sync/SPEC.md).
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, type Transaction } from '@tiptap/pm/state';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { comesFromDocument } from '../binding/binding-of.ts';
import { changedChildren } from '../binding/show-document.ts';
import { AttributesStep, type Attributes } from '../schema/attributes-step.ts';

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
  const [from, , to] = changedChildren(before, after);
  // Nearly every transaction is typing in one block, which needs no walk through the page.
  if (to - from === 1 && before.childCount === after.childCount) {
    const id: unknown = after.child(from).attrs['id'];
    if (typeof id === 'string' && id === before.child(from).attrs['id']) return null;
  }
  const used = new Set<unknown>();
  const ids = new Map<number, Attributes>();
  after.forEach((node, at, index) => {
    const id: unknown = node.attrs['id'];
    const isTaken = typeof id !== 'string' || used.has(id);
    // A block before the change keeps its id. A duplicate id after the change was not made by this edit.
    if (isTaken && index >= from && index < to) ids.set(at, { id: newBlockId() });
    used.add(id);
  });
  return ids.size > 0 ? transaction.step(new AttributesStep(ids)) : null;
}
