// Hooks for the names in sentences about access (`access-text.ts`).
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { LinkId } from '../../protocol/ids.ts';
import { useAuthorNames, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { LinkList } from '../../state/workspace/access/sharing.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { type AccessWords, isWorking } from './access-text.ts';

export function useAccessWords(links: LinkList['links']): AccessWords {
  const { workspace, indexAtom, listAtom } = useWorkspace();
  const { pages } = useValue(indexAtom);
  const name = useValue(listAtom).value?.workspace.name ?? workspace.name;
  return {
    workspace: name,
    nameOf: useAuthorNames(),
    titleOf(page: DocumentId) {
      const listed = pages.get(page);
      return listed === undefined ? null : shownTitle(listed.title);
    },
    linkOf: (id: LinkId) => links?.find((link) => link.id === id) ?? null,
    hasLinks: links?.some(isWorking) === true,
  };
}

/** The name of a person at the start of a line; null until it is loaded. */
export function useNames(): (person: UserId) => string | null {
  const people = useValue(usePerson().people.atom);
  return (person) => people.get(person)?.displayName ?? null;
}
