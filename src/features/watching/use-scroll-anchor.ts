// Keeps what is read where it is on the screen while blocks above it come and go. Browsers with scroll anchoring do that
// themselves; Safari has none.
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Blocks above this line are behind the bar. */
export const BAR_PX = 48;

type Anchor = { readonly element: Element; readonly top: number };

export function useScrollAnchor(page: RefObject<HTMLElement | null>): void {
  const anchor = useRef<Anchor | null>(null);
  // After each render, because any may have moved blocks.
  useLayoutEffect(() => {
    if (CSS.supports('overflow-anchor', 'auto')) return undefined;
    const { current } = anchor;
    if (current?.element.isConnected === true) {
      const moved = current.element.getBoundingClientRect().top - current.top;
      if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' });
    }
    // The position before the next change: a scroll in between moves it.
    const measure = () => {
      anchor.current = firstInView(page.current);
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    return () => removeEventListener('scroll', measure);
  });
}

/** Null at the very top, where new blocks push the others down. */
function firstInView(page: HTMLElement | null): Anchor | null {
  if (page === null || scrollY === 0) return null;
  for (const element of page.querySelectorAll('.block')) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > BAR_PX) return { element, top };
  }
  return null;
}
