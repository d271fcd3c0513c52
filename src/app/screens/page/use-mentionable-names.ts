// The people and pages that a text on this page can mention: everybody whose profile this device knows, people on this
// page first, and the other pages of the workspace.
import { useMemo } from 'react';
import type { MentionNames, PageName } from '../../../editor/typed-menu/mention-names.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import type { DocumentId } from '../../../protocol/ids.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';
import { pagePath } from '../../../state/workspace/page-address.ts';
import { shownTitle } from '../../../state/workspace/page-tree.ts';
import { usePeopleHere } from './use-people-here.ts';

export function useMentionableNames(): MentionNames {
  const { workspace, listAtom } = useWorkspace();
  const { documentId } = usePage();
  const documents = useValue(listAtom).value?.documents;
  const known = useValue(usePerson().people.atom);
  const { everyone } = usePeopleHere();
  return useMemo(
    () => namesOf([...everyone.values(), ...known.values()], documents ?? [], documentId, workspace.slug),
    [everyone, known, documents, documentId, workspace.slug],
  );
}

type Person = { readonly id: string; readonly displayName: string };

/** The list of pages changes often and is rarely read, so it is built at the first read. */
function namesOf(
  people: readonly Person[],
  documents: readonly DocumentSummary[],
  here: DocumentId,
  workspace: string,
): MentionNames {
  let pages: MentionNames['pages'] | null = null;
  return {
    people: Array.from(new Map(people.map(({ id, displayName }) => [id, { id, name: displayName }])).values()),
    get pages() {
      pages ??= documents
        .filter(({ id }) => id !== here)
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map((page) => pageName(page, documents, workspace));
      return pages;
    },
  };
}

const pageName = (page: DocumentSummary, all: readonly DocumentSummary[], workspace: string): PageName => ({
  title: shownTitle(page.title),
  address: pagePath(workspace, page),
  above: all
    .filter(({ id }) => id === page.parentId)
    .map(({ title }) => shownTitle(title))
    .join(),
});
