// The element that scrolls the content of another one.

/** The nearest ancestor that scrolls vertically, or the document's own scroller. */
export function scrollerOf(element: Element): Element | null {
  for (let up = element.parentElement; up !== null; up = up.parentElement) {
    if (up.scrollHeight > up.clientHeight && /auto|scroll/u.test(getComputedStyle(up).overflowY)) return up;
  }
  return document.scrollingElement;
}

/** The nearest ancestor that scrolls vertically once its content is long enough, or the document's own scroller. */
export function scrollContainerOf(element: Element): Element | null {
  for (let up = element.parentElement; up !== null; up = up.parentElement) {
    if (/auto|scroll/u.test(getComputedStyle(up).overflowY)) return up;
  }
  return document.scrollingElement;
}
