// Keeps a menu or bar beside a place in the text and inside the visible part of the window.
import { type Placement, autoUpdate, computePosition, flip, offset, shift, size } from '@floating-ui/dom';
import type { Editor } from '@tiptap/core';
import type { Cancel } from '../../lib/cancel.ts';
import './float-at-text.css';

export type FloatAnchor = {
  /** In window coordinates. */
  readonly box: DOMRect;
  /** The preferred side. The element goes to the opposite side if it fits only there, or better there. */
  readonly placement: Placement;
};

export type FloatOptions = {
  /** Called at every update, so it reads the current state. Null leaves the element where it is. */
  readonly anchorOf: (editor: Editor) => FloatAnchor | null;
  /** Pixels between the anchor and the element. */
  readonly gap?: number;
  /** Keeps the element within the width of the text, not only of the window. */
  readonly isInColumn?: boolean;
};

const GAP = 6;
const TOP_BAR = 48;

/**
 * Positions `element`, which has the class `at-text`, until the returned function is called. Updates at every
 * transaction (a remote edit can move the text without a React render), when the text or the element changes size, when
 * the page scrolls, and when the window or its visible part changes. Sets `--visible-height` to the height that fits on
 * the chosen side.
 *
 * The first position is set in a microtask: before the browser paints, but after React moves the focus for `autoFocus`.
 */
export function floatAtText(
  editor: Editor,
  element: HTMLElement,
  { anchorOf, gap = GAP, isInColumn = false }: FloatOptions,
): Cancel {
  const text = editor.view.dom;
  element.dataset['floating'] = '';
  let latest = 0;
  const place = async () => {
    const anchor = editor.isDestroyed ? null : anchorOf(editor);
    if (anchor === null) return;
    latest += 1;
    const update = latest;
    const padding = coveredEdges();
    const { x, y } = await computePosition({ getBoundingClientRect: () => anchor.box, contextElement: text }, element, {
      placement: anchor.placement,
      middleware: [
        offset(gap),
        flip({ padding, crossAxis: false, flipAlignment: false }),
        shift(isInColumn ? { boundary: text } : { padding }),
        size({
          padding,
          apply: ({ availableHeight }) => element.style.setProperty('--visible-height', `${availableHeight}px`),
        }),
      ],
    });
    // With `left`, the element would become narrower near the right edge of the text.
    if (update === latest) element.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  };
  const update = () => void place();
  editor.on('transaction', update);
  // A wide table scrolls inside the text.
  text.addEventListener('scroll', update, true);
  const stop = autoUpdate(
    { getBoundingClientRect: () => text.getBoundingClientRect(), contextElement: text },
    element,
    update,
    // No need to observe whether the text as a whole moves: the element moves with it.
    { layoutShift: false },
  );
  return () => {
    latest += 1;
    stop();
    text.removeEventListener('scroll', update, true);
    editor.off('transaction', update);
  };
}

/** The parts of the visible window that are covered: by the page's bar, and on phones by the format bar above the keyboard. */
function coveredEdges() {
  const formatBar = document.querySelector('.format-bar')?.clientHeight ?? 0;
  return { top: TOP_BAR, bottom: formatBar + GAP, left: GAP, right: GAP };
}
