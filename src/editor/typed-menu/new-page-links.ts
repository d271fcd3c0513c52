// The links to pages that were created from the text: what undo does to them, and what becomes of their words.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import type * as Y from 'yjs';
import type { NewPage, NewPages } from './mention-names.ts';

/**
 * Reports to a page that was created here when undo removes its link or brings it back. If the page cannot be created, its
 * link becomes plain words.
 */
export function followLink(editor: Editor, undo: Y.UndoManager, page: NewPage): void {
  let wasLinked = true;
  const check = () => {
    if (editor.isDestroyed) return;
    const isLinked = linksTo(editor.state.doc, page.address).length > 0;
    if (isLinked !== wasLinked) page.setLinked(isLinked);
    wasLinked = isLinked;
  };
  // The view shows the undone document by then.
  const onUndo = () => queueMicrotask(check);
  undo.on('stack-item-popped', onUndo);
  void page.isCreated.then((isCreated) => {
    if (isCreated) return;
    undo.off('stack-item-popped', onUndo);
    if (!editor.isDestroyed) removeLinks(editor, page.address);
  });
}

/** `untitled` has the words of each link to a page without a title, by its address; those that get a title are removed. */
export function nameLinks(editor: Editor, pages: NewPages, untitled: Map<string, string>): void {
  if (editor.isDestroyed || !editor.isEditable) return;
  for (const [address, words] of untitled) {
    const title = pages.titleOf(address);
    const links = linksTo(editor.state.doc, address);
    if (title === '' || links.length === 0) continue;
    untitled.delete(address);
    const transaction = editor.state.tr;
    for (const { node, at } of links.toReversed()) {
      // Someone may have given the link other words.
      if (node.text === words) transaction.replaceWith(at, at + node.nodeSize, editor.schema.text(title, node.marks));
    }
    if (transaction.docChanged) editor.view.dispatch(transaction);
  }
}

/** The words stay. */
function removeLinks({ state, view, schema }: Editor, address: string): void {
  const transaction = state.tr;
  for (const { node, at } of linksTo(state.doc, address)) {
    transaction.removeMark(at, at + node.nodeSize, schema.marks['link']);
  }
  if (transaction.docChanged) view.dispatch(transaction);
}

function linksTo(page: Node, address: string): readonly { readonly node: Node; readonly at: number }[] {
  const found: { node: Node; at: number }[] = [];
  page.descendants((node, at) => {
    if (node.marks.some(({ type, attrs }) => type.name === 'link' && attrs['href'] === address))
      found.push({ node, at });
  });
  return found;
}
