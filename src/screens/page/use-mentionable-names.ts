// The people and pages that a text on this page can mention: everyone whose profile this device knows, people on this
// page first, and the other pages of the workspace.
import { useMemo } from 'react';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { MentionNames, NewPages, PageName, PersonName } from '../../editor/typed-menu/mention-names.ts';
import type { DocumentSummary, Profile } from '../../protocol/answers.ts';
import { usePage, usePerson, useTitleReader, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { type PageIndex } from '../../state/workspace/tree/page-index.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNewPages } from './use-new-pages.ts';
import { usePeopleHere } from './use-people-here.ts';

export function useMentionableNames(): MentionNames {
  const { workspace, indexAtom } = useWorkspace();
  const { documentId } = usePage();
  const { pages } = useValue(indexAtom);
  const { identity, people: profiles } = usePerson();
  const known = useValue(profiles.atom);
  // Also people who only read, whether or not they are on the live topic.
  const { company } = usePeopleHere();
  const newPages = useNewPages();
  // A page that was just created has a title here before the list knows it.
  const readTitle = useTitleReader();
  return useMemo(() => {
    const isHere = (id: UserId) => id !== identity.id && company.has(id);
    const people = peopleOf([...company.values(), ...known.values()], isHere);
    return namesOf(people, pages, documentId, workspace.slug, readTitle, newPages);
  }, [company, identity, known, pages, documentId, workspace.slug, readTitle, newPages]);
}

const peopleOf = (people: readonly Profile[], isHere: (person: UserId) => boolean): readonly PersonName[] =>
  Array.from(new Map(people.map(({ id, displayName }) => [id, displayName])), ([id, name]) => ({
    id,
    name,
    isHere: isHere(id),
  }));

/** The list of pages changes often and is rarely read, so it is built at the first read. */
function namesOf(
  people: readonly PersonName[],
  pages: PageIndex['pages'],
  here: DocumentId,
  workspace: string,
  titleOf: (page: DocumentId) => string,
  newPages: NewPages,
): MentionNames {
  let names: MentionNames['pages'] | null = null;
  return {
    people,
    get pages() {
      names ??= Array.from(pages.values())
        .filter(({ id }) => id !== here)
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .map((page) => pageName({ ...page, title: titleOf(page.id) }, pages, workspace));
      return names;
    },
    newPages,
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
