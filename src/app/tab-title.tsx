// The tab's title carries the receipt too: a dot before it while anything is not on the server.
import { useEffect } from 'react';
import { useLasting } from '../state/hooks.ts';

const DOT_AFTER_MS = 700;

export function TabTitle({ title, hasUnsent = false }: { readonly title: string; readonly hasUnsent?: boolean }) {
  const hasDot = useLasting(hasUnsent, DOT_AFTER_MS);
  useEffect(() => {
    document.title = `${hasDot ? '• ' : ''}${title === '' ? '' : `${title} · `}Weft`;
  }, [title, hasDot]);
  return null;
}
