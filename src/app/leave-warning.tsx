// Makes the browser ask before the tab closes, only when that would lose edits: this device could not store them (WF012).
import { useEffect } from 'react';
import { useApp } from '../state/hooks.ts';

export function LeaveWarning() {
  const app = useApp();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const pages = app.store.get(app.personAtom)?.pages.openValues() ?? [];
      if (pages.some((page) => page.getView().receipt === 'tab')) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [app]);
  return null;
}
