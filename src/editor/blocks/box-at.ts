// Where a position of the page is on the screen.
import type { Editor } from '@tiptap/core';
import { shownPosition } from '../math/inline-formulas.ts';
import { visiblePosition } from './folding.ts';

/** In px from the top of the window. */
export type LineBox = { readonly top: number; readonly bottom: number };

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
