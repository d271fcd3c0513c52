// y-tiptap's binding of an editor state. Only this file looks into y-tiptap's plugin.
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { ProsemirrorBinding, ySyncPluginKey } from '@tiptap/y-tiptap';
import type * as Y from 'yjs';
import { PageNodeMap } from '../schema/unknown-node.ts';

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

/**
 * The document, for changes that find their place by its number in the page. Null while the page lacks blocks of the
 * document, because it is still being drawn.
 */
export function documentOf(state: EditorState): Y.Doc | null {
  const binding = bindingOf(state);
  return binding?.mapping instanceof PageNodeMap && !binding.mapping.isWhole ? null : (binding?.doc ?? null);
}
