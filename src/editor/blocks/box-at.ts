// Where a position of the page is on the screen, and scrolling to it.
import type { Editor } from '@tiptap/core';
import { shownPosition } from '../math/inline-formulas.ts';
import { unfoldAt, visiblePosition } from './folding.ts';

/** In px from the top of the window. */
export type LineBox = { readonly top: number; readonly bottom: number };

/** The height of the bars that cover the text above and below. */
const COVERED_PX = 110;

/** Null while the text has no layout. At the end of a line, `side` tells that line (-1) from the next (1). */
export function boxAt({ state, view }: Editor, at: number, side: 1 | -1): LineBox | null {
  const inside = Math.min(at, state.doc.content.size);
  try {
    const { top, bottom } = view.coordsAtPos(shownPosition(state, visiblePosition(state, inside)), side);
    return { top, bottom };
  } catch {
    return null;
  }
}

/** Unfolds what hides the position, and scrolls to it unless it can be seen. */
export function revealPosition(editor: Editor, at: number): void {
  const { view } = editor;
  unfoldAt(at)(view.state, view.dispatch);
  const { node } = view.domAtPos(at, 1);
  const element = node instanceof Element ? node : node.parentElement;
  const box = view.coordsAtPos(at, 1);
  if (box.top < COVERED_PX || box.bottom > window.innerHeight - COVERED_PX)
    element?.scrollIntoView({ block: 'center' });
}
