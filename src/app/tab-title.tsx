// The tab's title carries the receipt too: a dot before it while anything is not on the server.
import { useEffect } from 'react';
import { useHeld } from '../state/hooks.ts';

/** A dot that comes and goes with every key says nothing. */
const DOT_AFTER_MS = 700;

export function TabTitle({ title, hasUnsent = false }: { readonly title: string; readonly hasUnsent?: boolean }) {
  const hasDot = useHeld(hasUnsent, hasUnsent ? DOT_AFTER_MS : 0);
  useEffect(() => {
    document.title = `${hasDot ? '• ' : ''}${title === '' ? '' : `${title} · `}Weft`;
  }, [title, hasDot]);
  return null;
}
