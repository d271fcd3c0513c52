// The rows of a long tree that are drawn: those on the screen and some beyond. All rows have one height.
import { type RefObject, useEffect, useState } from 'react';
import { scrollContainerOf } from '../../ui/browser/scroller-of.ts';

export type RowWindow = { readonly first: number; readonly end: number };

/** The window moves in steps of this many rows, so that most scrolling renders nothing. */
const STEP = 10;
/** Without a layout, in tests, this many rows are drawn. */
const UNMEASURED = 60;

export function useRowWindow(tree: RefObject<HTMLElement | null>, rowHeight: number): RowWindow {
  const [window, setWindow] = useState<RowWindow>({ first: 0, end: UNMEASURED });
  useEffect(() => {
    const element = tree.current;
    const scroller = element === null ? null : scrollContainerOf(element);
    if (element === null || scroller === null) return;
    const measure = () => {
      if (scroller.clientHeight === 0) return;
      const hidden = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const firstStep = Math.max(0, Math.floor(hidden / rowHeight / STEP) - 1);
      const shownSteps = Math.ceil(scroller.clientHeight / rowHeight / STEP) + 3;
      const [first, end] = [firstStep * STEP, (firstStep + shownSteps) * STEP];
      setWindow((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    measure();
    scroller.addEventListener('scroll', measure, { passive: true });
    // The elements above the tree can grow, and the sidebar can change its height.
    const resized = new ResizeObserver(measure);
    resized.observe(scroller);
    resized.observe(element);
    return () => {
      scroller.removeEventListener('scroll', measure);
      resized.disconnect();
    };
  }, [tree, rowHeight]);
  return window;
}
