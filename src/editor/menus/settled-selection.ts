// Where a bar for the selected words belongs, once the selection has held still for a moment.
import type { Editor } from '@tiptap/core';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { useEffect, useState } from 'react';
import { comesFromDocument } from '../binding/binding-of.ts';

/** Pixels from the corner of the editor's element: `y` of the bar's upper edge below the words, of its lower above them. */
export type Place = { readonly x: number; readonly y: number; readonly isBelow: boolean };

const STILL_MS = 160;
const GAP = 8;
const BAR_HEIGHT = 36;
const BAR_WIDTH = 344;
/** The page's own bar covers this much of the window's top. */
const TOP_BAR = 48;

/** Null while nothing is selected, while the selection moves, and when the focus is elsewhere. */
export function useSettledSelection(editor: Editor): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
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
    const look = () => {
      stop();
      if (!hasWords(editor) || !isAtWork(editor)) {
        settled = '';
        setPlace(null);
      } else if (rangeOf(editor) === settled) setPlace(placeOf(editor));
      else {
        setPlace(null);
        timer = setTimeout(settle, STILL_MS);
      }
    };
    /** The same words elsewhere. Somebody who types above moves them at every key: the bar would never come. */
    const follow = () => {
      if (!hasWords(editor)) look();
      else if (settled !== '') settle();
    };
    // Tiptap tells focus and blur as transactions too, at a moment when nothing has the focus.
    const onTransaction = ({ transaction }: { transaction: Transaction }) => {
      if (transaction.docChanged && comesFromDocument(transaction)) follow();
      else if (transaction.docChanged || transaction.selectionSet) look();
    };
    const lookLater = () => setTimeout(look);
    editor.on('transaction', onTransaction);
    editor.on('focus', look);
    editor.on('blur', lookLater);
    document.addEventListener('focusin', lookLater);
    return () => {
      stop();
      editor.off('transaction', onTransaction);
      editor.off('focus', look);
      editor.off('blur', lookLater);
      document.removeEventListener('focusin', lookLater);
    };
  }, [editor]);
  return place;
}

const rangeOf = ({ state: { selection } }: Editor) => `${selection.from}-${selection.to}`;

function hasWords({ state, isEditable }: Editor): boolean {
  const { selection, doc } = state;
  if (!isEditable || !(selection instanceof TextSelection) || selection.empty) return false;
  return doc.textBetween(selection.from, selection.to).trim() !== '';
}

/** The text has the focus, or the bar and its menu, which work on it. */
function isAtWork(editor: Editor): boolean {
  return (
    !editor.isDestroyed && (editor.view.hasFocus() || document.activeElement?.closest('.selection-bar, .menu') != null)
  );
}

function placeOf({ state, view }: Editor): Place {
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
