// Inserts a formula, a link card or a list of subpages: before the last selected block if it is empty, else after it.
import type { Editor } from '@tiptap/core';
import { type Command, type EditorState, type Transaction, NodeSelection, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { parseLinkUrl } from 'weft-document/link-url.ts';
import { EMBED, MATH, SUBPAGES } from 'weft-document/names.ts';
import { selectedBlocks } from '../schema/block-at.ts';

/** The caret goes into the new formula. */
export const insertMath: Command = (state, dispatch) => {
  const placed = insertNode(state, MATH, {});
  if (placed === null) return false;
  const { transaction, at } = placed;
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, at + 1)).scrollIntoView());
  return true;
};

/** The new card is selected. Without a URL it is empty, and its button asks for one. */
export const insertCard =
  (url: string | null = null, title = ''): Command =>
  (state, dispatch) => {
    const attributes = { url: url === null ? null : parseLinkUrl(url), title: title === '' ? null : title };
    return insertSelected(EMBED, attributes)(state, dispatch);
  };

/** The new list is selected. */
export const insertSubpages: Command = (state, dispatch) => insertSelected(SUBPAGES, {})(state, dispatch);

const insertSelected =
  (name: string, attributes: Attributes): Command =>
  (state, dispatch) => {
    const placed = insertNode(state, name, attributes);
    if (placed === null) return false;
    const { transaction, at } = placed;
    dispatch?.(transaction.setSelection(NodeSelection.create(transaction.doc, at)).scrollIntoView());
    return true;
  };

type Attributes = Readonly<Record<string, string | null>>;

/** Inserts an empty link card and opens its form, which asks for the address. */
export function insertCardAndAsk({ state, view }: Editor): void {
  if (!insertCard()(state, view.dispatch)) return;
  // The menu that offered the card returns the focus in the next frame, and takes it from a form that is open by then.
  requestAnimationFrame(() => requestAnimationFrame(() => askForAddress(view)));
}

function askForAddress(view: EditorView): void {
  if (view.isDestroyed) return;
  const card = view.nodeDOM(view.state.selection.from);
  if (card instanceof Element) card.querySelector<HTMLElement>('.card-edit')?.click();
}

function insertNode(
  { doc, schema, tr, selection }: EditorState,
  name: string,
  attributes: Attributes,
): { readonly transaction: Transaction; readonly at: number } | null {
  const block = selectedBlocks({ doc, selection }).at(-1);
  if (block === undefined) return null;
  const { node, at } = block;
  const end = at + node.nodeSize;
  const inserted = schema.node(name, attributes);
  // An empty block stays below with its id, for writing on.
  const position = node.content.size === 0 ? at : end;
  return { transaction: tr.insert(position, inserted), at: position };
}
