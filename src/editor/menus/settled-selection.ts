// Decides when the bar for the selected text is shown: once the selection has not changed for a moment.
import type { Editor } from '@tiptap/core';
import { NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state';
import { useEffect, useState } from 'react';
import { BLOCK } from 'weft-document/names.ts';
import { comesFromDocument } from '../binding/binding-of.ts';

const STILL_MS = 160;

/** False while nothing is selected, while the selection changes, and while the focus is elsewhere. */
export function useSettledSelection(editor: Editor): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let settled = '';
    const stop = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
    const settle = () => {
      stop();
      settled = rangeOf(editor);
      setSettled(true);
    };
    const update = () => {
      stop();
      if (!hasSelectedText(editor) || !hasFocusNearby(editor)) {
        settled = '';
        setSettled(false);
      } else if (rangeOf(editor) === settled) setSettled(true);
      else {
        setSettled(false);
        timer = setTimeout(settle, STILL_MS);
      }
    };
    /**
     * The same selection moved. If someone types above, it moves at every key, and waiting again would never show the
     * bar.
     */
    const follow = () => {
      if (!hasSelectedText(editor)) update();
      else if (settled !== '') settle();
    };
    // Tiptap also reports focus and blur as transactions, at a moment when no element has the focus.
    const onTransaction = ({ transaction }: { transaction: Transaction }) => {
      if (transaction.docChanged && comesFromDocument(transaction)) follow();
      else if (transaction.docChanged || transaction.selectionSet) update();
    };
    const updateLater = () => setTimeout(update);
    editor.on('transaction', onTransaction);
    editor.on('focus', update);
    editor.on('blur', updateLater);
    document.addEventListener('focusin', updateLater);
    // ProseMirror does not report that a selection left a text without the focus.
    if (!editor.isEditable) document.addEventListener('selectionchange', updateLater);
    // Words that were selected before the bar was loaded.
    const first = updateLater();
    return () => {
      stop();
      clearTimeout(first);
      editor.off('transaction', onTransaction);
      editor.off('focus', update);
      editor.off('blur', updateLater);
      document.removeEventListener('focusin', updateLater);
      document.removeEventListener('selectionchange', updateLater);
    };
  }, [editor]);
  return isSettled;
}

const rangeOf = ({ state: { selection } }: Editor) => `${selection.from}-${selection.to}`;

function hasSelectedText(editor: Editor): boolean {
  // A late look, after the page was closed: there is no view any more.
  if (editor.isDestroyed) return false;
  const { state, view, isEditable } = editor;
  const { selection, doc } = state;
  // A selected picture or the like without a thread, for a person who may only comment. An editor has the block's menu.
  if (selection instanceof NodeSelection) {
    const element = view.nodeDOM(selection.from);
    const isCommented = element instanceof Element && element.classList.contains('commented-block');
    return !isEditable && !isCommented && selection.node.type.name !== BLOCK;
  }
  if (!(selection instanceof TextSelection) || selection.empty) return false;
  return doc.textBetween(selection.from, selection.to).trim() !== '';
}

/** True if the text has the focus, or the bar or its menu. */
function hasFocusNearby(editor: Editor): boolean {
  if (editor.isDestroyed) return false;
  const { dom } = editor.view;
  // A text that the person may only read rarely has the focus, and of a picture the browser has no selection.
  const hasFocus = editor.isEditable
    ? editor.view.hasFocus()
    : editor.state.selection instanceof NodeSelection
      ? document.activeElement?.contains(dom) === true
      : dom.contains(getSelection()?.anchorNode ?? null);
  return hasFocus || document.activeElement?.closest('.selection-bar, .menu') != null;
}
