// The position of a bar for the selected text, once the selection has not changed for a moment.
import type { Editor } from '@tiptap/core';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { useEffect, useState } from 'react';
import { comesFromDocument } from '../binding/binding-of.ts';

/**
 * Pixels from the corner of the editor element. `y` is the bar's upper edge if it is below the text, otherwise its
 * lower edge.
 */
export type BarPosition = { readonly x: number; readonly y: number; readonly isBelow: boolean };

const STILL_MS = 160;
const GAP = 8;
const BAR_HEIGHT = 36;
const BAR_WIDTH = 344;
/** The height of the page's own bar at the top of the window. */
const TOP_BAR = 48;

/** Null while nothing is selected, while the selection changes, and while the focus is elsewhere. */
export function useSettledSelection(editor: Editor): BarPosition | null {
  const [place, setPlace] = useState<BarPosition | null>(null);
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
      setPlace(placeOf(editor));
    };
    const update = () => {
      stop();
      if (!hasSelectedText(editor) || !hasFocusNearby(editor)) {
        settled = '';
        setPlace(null);
      } else if (rangeOf(editor) === settled) setPlace(placeOf(editor));
      else {
        setPlace(null);
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
    return () => {
      stop();
      editor.off('transaction', onTransaction);
      editor.off('focus', update);
      editor.off('blur', updateLater);
      document.removeEventListener('focusin', updateLater);
    };
  }, [editor]);
  return place;
}

const rangeOf = ({ state: { selection } }: Editor) => `${selection.from}-${selection.to}`;

function hasSelectedText({ state, isEditable }: Editor): boolean {
  const { selection, doc } = state;
  if (!isEditable || !(selection instanceof TextSelection) || selection.empty) return false;
  return doc.textBetween(selection.from, selection.to).trim() !== '';
}

/** True if the text has the focus, or the bar or its menu. */
function hasFocusNearby(editor: Editor): boolean {
  return (
    !editor.isDestroyed && (editor.view.hasFocus() || document.activeElement?.closest('.selection-bar, .menu') != null)
  );
}

function placeOf({ state, view }: Editor): BarPosition {
  const frame = view.dom.getBoundingClientRect();
  const start = view.coordsAtPos(state.selection.from, 1);
  const end = view.coordsAtPos(state.selection.to, -1);
  const isBelow = start.top - GAP - BAR_HEIGHT < TOP_BAR;
  const isOneLine = Math.abs(start.top - end.top) < 4;
  const middle = (isOneLine ? (start.left + end.left) / 2 : start.left + BAR_WIDTH / 2) - frame.left;
  const half = BAR_WIDTH / 2;
  return {
    x: Math.max(half, Math.min(middle, Math.max(half, frame.width - half))),
    y: (isBelow ? end.bottom + GAP : start.top - GAP) - frame.top,
    isBelow,
  };
}
