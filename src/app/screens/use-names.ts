// Whom and which pages a text on this page may name: the people this device has met, the pages of the workspace's list.
import { useMemo } from 'react';
import type { Names } from '../../editor/names.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/page-address.ts';
import { pathTo, shownTitle } from '../../state/page-tree.ts';
import { usePeopleHere } from './use-page-facts.ts';

export function useNames(): Names {
  const { workspace, listAtom } = useWorkspace();
  const { documentId } = usePage();
  const documents = useValue(listAtom).value?.documents;
  const known = useValue(usePerson().people.atom);
  const { dyed } = usePeopleHere();
  return useMemo(() => {
    // Who is here comes first.
    const people = new Map([...dyed, ...known]);
    const all = documents ?? [];
    return {
      people: Array.from(people.values(), ({ id, displayName }) => ({ id, name: displayName })),
      pages: all
        .filter(({ id }) => id !== documentId)
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map((page) => ({
          title: shownTitle(page.title),
          address: pagePath(workspace.slug, page),
          above: pathTo(all, page.id)
            .map(({ title }) => shownTitle(title))
            .join(' / '),
        })),
    };
  }, [dyed, known, documents, documentId, workspace.slug]);
}
