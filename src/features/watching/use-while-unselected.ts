// Holds back new drawings while a reader has words selected.
import { type RefObject, useEffect, useState } from 'react';

/** The newest value from a moment without a selection in the element: drawing it would replace the nodes of a selection. */
export function useWhileUnselected<T>(value: T, element: RefObject<HTMLElement | null>): T {
  const [taken, setTaken] = useState(value);
  useEffect(() => {
    if (taken === value) return undefined;
    const take = () => {
      const selection = getSelection();
      const page = element.current ?? document.body;
      const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(page, true);
      if (!isSelected) setTaken(value);
    };
    take();
    document.addEventListener('selectionchange', take);
    return () => document.removeEventListener('selectionchange', take);
  }, [value, taken, element]);
  return taken;
}
