// Sets the title of the browser tab, with a dot before it while edits wait for the server.
import { useEffect } from 'react';
import { useOverdue } from '../ui/browser/use-time.ts';

/** Edits are usually saved sooner. */
const DOT_AFTER_MS = 700;

type TabTitleProps = {
  readonly title: string;
  /** The time of the oldest edit that is not on the server. */
  readonly oldestAt?: number | null;
};

export function TabTitle({ title, oldestAt = null }: TabTitleProps) {
  const hasDot = useOverdue(oldestAt, DOT_AFTER_MS);
  useEffect(() => {
    document.title = `${hasDot ? '• ' : ''}${title === '' ? '' : `${title} · `}Weft`;
  }, [title, hasDot]);
  return null;
}
