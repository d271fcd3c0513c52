// Scrolls to a change.

/** The element of a step. One without an element of its own, such as one in a folded toggle, is shown by its block. */
export const stepElement = (page: Element | null, step: number, key: string): Element | null =>
  page?.querySelector(`[data-step="${step}"]`) ?? page?.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? null;

export function scrollToChange(element: Element | null): void {
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  element?.scrollIntoView({ block: 'center', behavior });
}
