// The binding of an editor state: which document the editor shows, and which node stands for which of its elements.
import { type EditorState, PluginKey, type Transaction } from '@tiptap/pm/state';
import type * as Y from 'yjs';
import type { PageNodes } from './page-nodes.ts';

export type PageBinding = { readonly doc: Y.Doc; readonly body: Y.XmlFragment; readonly nodes: PageNodes };

export type BindingState = {
  readonly binding: PageBinding;
  /** The newest transaction and those that plugins appended to it, without those that changed nothing on the page. */
  readonly transactions: readonly Transaction[];
};

export const pageBindingKey = new PluginKey<BindingState>('pageBinding');

/** The Yjs origin of everything the editor writes into the document. */
export const EDITOR_ORIGIN = { origin: 'editor' } as const;

export const bindingOf = (state: EditorState): PageBinding | null => pageBindingKey.getState(state)?.binding ?? null;

/** True if the transaction shows what is already in the document: a remote edit, undo, or the first rendering. */
export const comesFromDocument = (transaction: Transaction): boolean =>
  transaction.getMeta(pageBindingKey) !== undefined;

/** True if it writes or moves the selection, and is not only drawn from the document as others' edits are. */
export const isOwnAct = (transaction: Transaction): boolean =>
  (transaction.docChanged || transaction.selectionSet) && !comesFromDocument(transaction);

/**
 * The document, for changes that find their place by its number in the page. Null while the page lacks blocks of the
 * document, because it is still being drawn.
 */
export function documentOf(state: EditorState): Y.Doc | null {
  const binding = bindingOf(state);
  return binding?.nodes.isWhole === true ? binding.doc : null;
}
