// The row with the focus. Only the rows near the screen are drawn, so a row is scrolled into view before it gets the focus.
import { type RefObject, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { scrollContainerOf } from '../../ui/browser/scroller-of.ts';
import type { VisibleRow } from './visible-rows.ts';

export function useRowFocus(tree: RefObject<HTMLElement | null>, rows: readonly VisibleRow[], rowHeight: number) {
  const [focused, setFocused] = useState<DocumentId | null>(null);
  const rowOf = (id: DocumentId) => tree.current?.querySelector<HTMLElement>(`[data-row="${id}"]`) ?? null;
  const scrollTo = (id: DocumentId) => {
    const at = rows.findIndex((row) => row.id === id);
    if (at >= 0 && tree.current !== null) scrollIntoView(tree.current, at * rowHeight, rowHeight);
  };
  const focus = (id: DocumentId) => {
    setFocused(id);
    scrollTo(id);
    const focusRow = () => rowOf(id)?.focus({ preventScroll: true });
    focusRow();
    const before = document.activeElement;
    // The row may be drawn only after this task, and loses the focus when React moves it. A focus that has gone elsewhere meanwhile
    // stays there.
    requestAnimationFrame(() => {
      const now = document.activeElement;
      if (now === before || now === document.body) focusRow();
    });
  };
  return { focused, setFocused, rowOf, scrollTo, focus };
}

/** Scrolls until the row at `top` px of the tree is on the screen with its neighbour, and not below the tree's header. */
function scrollIntoView(tree: HTMLElement, top: number, rowHeight: number): void {
  const scroller = scrollContainerOf(tree);
  if (scroller === null) return;
  const box = scroller.getBoundingClientRect();
  const rowTop = tree.getBoundingClientRect().top + top;
  const above = box.top + rowHeight - rowTop;
  const below = rowTop + rowHeight - box.bottom;
  if (above > 0) scroller.scrollBy(0, -above);
  else if (below > 0) scroller.scrollBy(0, below + rowHeight);
}
