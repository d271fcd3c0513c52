// A bar at selected text: where it floats, and that it keeps the selection.
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import type { MouseEvent } from 'react';
import type { FloatAnchor, FloatOptions } from '../floating/float-at-text.ts';

/** A click on the bar must keep the focus in the text; a click into its field must not. */
export function keepSelection(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

/** A picture that reaches higher counts from here on, so that the bar above it stays below the top bar and a banner. */
const BELOW_BARS_PX = 140;

export const AT_SELECTION: FloatOptions = { anchorOf: selectionAnchor, gap: 8, isInColumn: true };

/** Above the middle of a selection in one line, or above the start of a longer one, or of a picture. */
function selectionAnchor({ state: { selection }, view }: Editor): FloatAnchor {
  const block = selection instanceof NodeSelection ? view.nodeDOM(selection.from) : null;
  if (block instanceof Element) {
    const { left, top, bottom, width } = block.getBoundingClientRect();
    const shown = Math.max(top, BELOW_BARS_PX);
    return { box: new DOMRect(left, shown, width, bottom - shown), placement: 'top-start' };
  }
  const [start, end] = [view.coordsAtPos(selection.from, 1), view.coordsAtPos(selection.to, -1)];
  const isOneLine = Math.abs(start.top - end.top) < 4;
  // In right-to-left text the end is on the left.
  const [left, right] = isOneLine
    ? [Math.min(start.left, end.left), Math.max(start.left, end.left)]
    : [start.left, start.left];
  return {
    box: new DOMRect(left, start.top, right - left, end.bottom - start.top),
    placement: isOneLine ? 'top' : 'top-start',
  };
}
