// Scrolls to a position or block of the page, and unfolds what hides it.
import type { Editor } from '@tiptap/core';
import { unfoldAt } from './folding.ts';

/** The height of the bars that cover the text above and below. */
const COVERED_PX = 110;

/** Unfolds what hides the position, and scrolls to it unless it can be seen. */
export function revealPosition(editor: Editor, at: number): void {
  const { view } = editor;
  unfoldAt(at)(view.state, view.dispatch);
  const { node } = view.domAtPos(at, 1);
  const element = node instanceof Element ? node : node.parentElement;
  const box = view.coordsAtPos(at, 1);
  if (isCovered(box)) element?.scrollIntoView({ block: 'center' });
}

/** The top of a block is shown at least this far down: below a banner and the head of the comments. */
const BELOW_HEADS_PX = 160;

/** Unfolds what hides the block, and scrolls to its top unless that can be seen. */
export function revealBlock({ view }: Editor, at: number): void {
  unfoldAt(at)(view.state, view.dispatch);
  const block = view.nodeDOM(at);
  if (!(block instanceof Element)) return;
  const { top } = block.getBoundingClientRect();
  if (isCovered({ top: top - BELOW_HEADS_PX + COVERED_PX, bottom: top }))
    window.scrollBy({ top: top - BELOW_HEADS_PX, behavior: 'instant' });
}

/** What covers the text at the bottom of the window sets the document's scroll padding. */
function isCovered({ top, bottom }: Pick<DOMRect, 'top' | 'bottom'>): boolean {
  const below = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
  return top < COVERED_PX || bottom > window.innerHeight - Math.max(COVERED_PX, below);
}
