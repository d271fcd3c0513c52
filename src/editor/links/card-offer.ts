// After a URL was pasted onto an empty line, remembers that line until the caret moves or more than the link is in it,
// so that the page can offer to make a card of it.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { comesFromDocument } from '../binding/binding-of.ts';
import { blockAt } from '../schema/block-at.ts';
import { linkToCard, onlyLink } from './card-commands.ts';

const key = new PluginKey<number | null>('cardOffer');

export const CardOffer = Extension.create({
  name: 'cardOffer',
  priority: 700,
  addKeyboardShortcuts() {
    return {
      'Mod-Enter': () => {
        const { view } = this.editor;
        const at = offeredAt(view.state);
        return at !== null && linkToCard(at)(view.state, view.dispatch);
      },
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin<number | null>({
      key,
      state: {
        init: () => null,
        apply(transaction, before, _old, state) {
          const offered = afterPaste(transaction, state);
          if (offered !== null) return offered;
          if (before === null || (transaction.selectionSet && !comesFromDocument(transaction))) return null;
          const at = transaction.mapping.map(before);
          const node = transaction.doc.nodeAt(at);
          return node !== null && onlyLink(node) !== null ? at : null;
        },
      },
    }),
  ],
});

/** The position of the block that can become a card; null if nothing is offered. */
export const offeredAt = (state: EditorState): number | null => key.getState(state) ?? null;

function afterPaste(transaction: Transaction, state: EditorState): number | null {
  if (transaction.getMeta(PASTED_URL) !== true) return null;
  const block = blockAt(state.selection.$from);
  return block !== null && onlyLink(block.node) !== null ? block.at : null;
}

/** Set on the transaction of a paste that was only a URL. */
export const PASTED_URL = 'pastedUrl';
