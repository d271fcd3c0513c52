// y-tiptap's binding of an editor state. Only this file looks into y-tiptap's plugin.
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { ProsemirrorBinding, ySyncPluginKey } from '@tiptap/y-tiptap';

/** The Yjs origin of everything the editor writes into the document. */
export const EDITOR_ORIGIN: object = ySyncPluginKey;

export function bindingOf(state: EditorState): ProsemirrorBinding | null {
  const plugin: unknown = ySyncPluginKey.getState(state);
  if (typeof plugin !== 'object' || plugin === null || !('binding' in plugin)) return null;
  return plugin.binding instanceof ProsemirrorBinding ? plugin.binding : null;
}

/** True if the transaction shows what is already in the document: a remote edit, undo, or the first rendering. */
export const comesFromDocument = (transaction: Transaction): boolean =>
  transaction.getMeta(ySyncPluginKey) !== undefined;
