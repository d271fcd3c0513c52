// Titles of the pages that are open here, ahead of the list: the tree shows a name while it is being typed.
import { atom } from 'jotai/vanilla';
import { useMemo } from 'react';
import type { DocumentId } from '../../protocol/ids.ts';
import { usePerson, useValue } from '../../state/hooks.ts';

export function useLiveTitles(): ReadonlyMap<DocumentId, string> {
  const { openPagesAtom } = usePerson();
  const titlesAtom = useMemo(
    () =>
      atom((get) => {
        const titles = new Map<DocumentId, string>();
        for (const page of get(openPagesAtom)) {
          const title = get(page.titleAtom);
          if (title !== null) titles.set(page.documentId, title);
        }
        return titles;
      }),
    [openPagesAtom],
  );
  return useValue(titlesAtom);
}
