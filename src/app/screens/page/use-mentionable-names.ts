// The people and pages that a text on this page can mention: everybody whose profile this device knows, people on this
// page first, and the other pages of the workspace.
import { useMemo } from 'react';
import type { MentionNames, PageName } from '../../../editor/typed-menu/mention-names.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { DocumentId } from '../../../protocol/ids.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';
import { pagePath } from '../../../state/workspace/page-address.ts';
import { type PageIndex, shownTitle } from '../../../state/workspace/page-index.ts';
import { usePeopleHere } from './use-people-here.ts';

export function useMentionableNames(): MentionNames {
  const { workspace, indexAtom } = useWorkspace();
  const { documentId } = usePage();
  const { pages } = useValue(indexAtom);
  const known = useValue(usePerson().people.atom);
  const { everyone } = usePeopleHere();
  return useMemo(
    () => namesOf([...everyone.values(), ...known.values()], pages, documentId, workspace.slug),
    [everyone, known, pages, documentId, workspace.slug],
  );
}

type Person = { readonly id: string; readonly displayName: string };

/** The list of pages changes often and is rarely read, so it is built at the first read. */
function namesOf(
  people: readonly Person[],
  pages: PageIndex['pages'],
  here: DocumentId,
  workspace: string,
): MentionNames {
  let names: MentionNames['pages'] | null = null;
  return {
    people: Array.from(new Map(people.map(({ id, displayName }) => [id, { id, name: displayName }])).values()),
    get pages() {
      names ??= Array.from(pages.values())
        .filter(({ id }) => id !== here)
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map((page) => pageName(page, pages, workspace));
      return names;
    },
  };
}

function pageName(page: DocumentSummary, pages: PageIndex['pages'], workspace: string): PageName {
  const above = page.parentId === null ? undefined : pages.get(page.parentId);
  return {
    title: shownTitle(page.title),
    address: pagePath(workspace, page),
    above: above === undefined ? '' : shownTitle(above.title),
  };
}
