// y-tiptap's binding of an editor state: the one place that looks into its plugin.
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { ProsemirrorBinding, ySyncPluginKey } from '@tiptap/y-tiptap';

/** Origin of everything the editor writes into the document. */
export const EDITOR_ORIGIN: object = ySyncPluginKey;

export function bindingOf(state: EditorState): ProsemirrorBinding | null {
  const plugin: unknown = ySyncPluginKey.getState(state);
  if (typeof plugin !== 'object' || plugin === null || !('binding' in plugin)) return null;
  return plugin.binding instanceof ProsemirrorBinding ? plugin.binding : null;
}

/** Whether a transaction brings what is in the document already: others' edits, undo, the first drawing. */
export const comesFromDocument = (transaction: Transaction): boolean =>
  transaction.getMeta(ySyncPluginKey) !== undefined;
