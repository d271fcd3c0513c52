// The space that a chosen name brings with it: a space typed right after it is not a second one, and a full stop, comma
// or the like takes its place, as on the keyboards of phones.
import type { Mark } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';

/** The position behind the added space, until anything else is done. */
const key = new PluginKey<number | null>('addedSpace');

/** Inserts a space at `at`. */
export const addSpace = (transaction: Transaction, at: number, marks: readonly Mark[]): Transaction =>
  transaction.insert(at, transaction.doc.type.schema.text(' ', marks)).setMeta(key, at + 1);

export const addedSpace = (): Plugin =>
  new Plugin<number | null>({
    key,
    state: {
      init: () => null,
      apply(transaction, at) {
        const added: unknown = transaction.getMeta(key);
        if (typeof added === 'number') return added;
        return transaction.docChanged || transaction.selectionSet ? null : at;
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        const at = key.getState(view.state);
        if (at === null || from !== at || to !== at) return false;
        if (text === ' ') {
          view.dispatch(view.state.tr.setMeta(key, null).setSelection(view.state.selection));
          return true;
        }
        if (!/^[.,;:!?)\]]$/.test(text)) return false;
        view.dispatch(view.state.tr.insertText(text, at - 1, at).scrollIntoView());
        return true;
      },
    },
  });
