// What several parts of the page's screen ask: the page as the list knows it, and who is here.
import { useEffect } from 'react';
import type { DocumentSummary, Profile } from '../../../protocol/answers.ts';
import type { DocumentId, UserId } from '../../../protocol/ids.ts';
import { assignColors } from '../../../state/people/assign-colors.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';

/** Null while the list is not known, or does not have it. */
export function useListedPage(id: DocumentId): DocumentSummary | null {
  const list = useValue(useWorkspace().listAtom).value;
  return list?.documents.find((page) => page.id === id) ?? null;
}

/** Everybody on the page's live topic, this person first so that their colour is their own. */
export function usePeopleHere(): {
  readonly everyone: ReadonlyMap<UserId, Profile>;
  readonly others: readonly Profile[];
} {
  const { identity, people } = usePerson();
  const roster = useValue(usePage().rosterAtom);
  const known = useValue(people.atom);
  useEffect(() => people.ensureLoaded(roster.map(({ user }) => user)), [people, roster]);
  const everyone = assignColors([identity.id, ...roster.map(({ user }) => user)], known);
  return { everyone, others: Array.from(everyone.values()).filter(({ id }) => id !== identity.id) };
}
