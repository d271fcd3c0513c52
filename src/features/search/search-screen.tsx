// `/w/:workspace/search`: full-text search.
import { useEffect, useRef } from 'react';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { useShell } from '../../shell/shell-context.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { useMayCreatePages, usePerson, useValue } from '../../state/hooks.ts';
import { SearchPage } from './search-page.tsx';
import { isSearchShortcut } from './search-shortcut.ts';

export function SearchScreen() {
  const receipt = useValue(usePerson().deviceReceiptAtom);
  const mayCreate = useMayCreatePages();
  const { newPage } = useShell();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    // The shortcut that opened this screen leads back to its field.
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchShortcut(event)) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <TabTitle title="Search" oldestAt={receipt.unsent.oldestAt} />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <SearchPage field={field} onNewPage={mayCreate ? (title) => newPage(null, { title }) : null} />
    </>
  );
}
