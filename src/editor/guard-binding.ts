// Stands between the document and y-tiptap's binding: nothing unknown reaches it (T4), nothing it throws reaches the
// sync engine (T7), and every new block gets its text at once.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { findUnknown } from '../document/find-unknown.ts';
import { BLOCK } from '../document/names.ts';
import { EDITOR_ORIGIN, bindingOf } from './binding-of.ts';

/** Called when the editor had to let go of the document; it shows and writes nothing more. */
export type LetGo = (reason: string) => void;

/** Must run before the binding's own plugin view, which starts to listen: hence the priority. */
export const guardBinding = (letGo: LetGo) =>
  Extension.create({
    name: 'guardBinding',
    priority: 10_000,
    addProseMirrorPlugins: () => [
      new Plugin({
        view(view) {
          const binding = bindingOf(view.state);
          if (binding !== null) guard(binding, letGo);
          return {};
        },
      }),
    ],
  });

function guard(binding: ProsemirrorBinding, letGo: LetGo): void {
  const show = binding._typeChanged.bind(binding);
  const write = binding._prosemirrorChanged.bind(binding);
  let held = true;
  const release = (reason: string) => {
    held = false;
    binding.destroy();
    letGo(reason);
  };

  const onChange = (events: Y.YEvent<Y.AbstractType<unknown>>[], transaction: Y.Transaction) => {
    if (!held) return;
    const unknown = findUnknown(touchedBlocks(binding.type, transaction));
    if (unknown !== null) {
      release(unknown);
      return;
    }
    try {
      trustRelativePositions(binding);
      show(events, transaction);
    } catch {
      // Caret recovery can point behind the end after a merge that shrank the page. The content is right: draw it anew.
      try {
        binding._forceRerender();
      } catch (error) {
        release(String(error));
      }
    }
  };
  binding._observeFunction = onChange;
  binding._prosemirrorChanged = (page) => {
    if (!held) return;
    binding.doc.transact((transaction) => {
      write(page);
      giveNewBlocksTheirText(binding.type, transaction);
    }, EDITOR_ORIGIN);
  };
}

/**
 * y-tiptap 3.0.8 and 3.0.9 compare the text around the caret before and after a remote change, and where it differs
 * they put the caret back at its old offset: whoever types in a paragraph while another types before them in it would
 * write their letters out of order. Without the old offsets the Yjs position counts. It also ends most of T7.
 */
function trustRelativePositions(binding: ProsemirrorBinding): void {
  const selection: object | null = binding.beforeTransactionSelection;
  if (selection !== null) Object.assign(selection, { absAnchor: null, absHead: null });
}

/** The nodes of the page in which a transaction changed or added something. */
function touchedBlocks(body: Y.XmlFragment, transaction: Y.Transaction): readonly unknown[] {
  const changed = new Set<unknown>(transaction.changedParentTypes.keys());
  return body.toArray().filter((node) => {
    const id = node._item?.id;
    return id === undefined || changed.has(node) || id.clock >= (transaction.beforeState.get(id.client) ?? 0);
  });
}

/**
 * y-tiptap makes a block's text only with its first letter. Two people who start in the same empty block would make
 * two, and each would then write the other's letters into their own: doubled words. So the maker of a block makes
 * its text, in the same transaction and undo step.
 */
function giveNewBlocksTheirText(body: Y.XmlFragment, transaction: Y.Transaction): void {
  if (!new Set<unknown>(transaction.changed.keys()).has(body)) return;
  const { clientID } = transaction.doc;
  const before = transaction.beforeState.get(clientID) ?? 0;
  for (const node of body.toArray()) {
    if (!(node instanceof Y.XmlElement) || node.nodeName !== BLOCK || node.length > 0) continue;
    const id = node._item?.id;
    if (id !== undefined && id.client === clientID && id.clock >= before) node.insert(0, [new Y.XmlText()]);
  }
}
