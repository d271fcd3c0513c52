// For several parts of the page's screen: the page's entry in the list, and the people on the page.
import { useEffect } from 'react';
import type { DocumentSummary, Profile } from '../../../protocol/answers.ts';
import type { DocumentId, UserId } from '../../../protocol/ids.ts';
import { assignColors } from '../../../state/people/assign-colors.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';

/** Null while the list has not loaded, or does not contain the page. */
export function useListedPage(id: DocumentId): DocumentSummary | null {
  const list = useValue(useWorkspace().listAtom).value;
  return list?.documents.find((page) => page.id === id) ?? null;
}

/** Everybody on the page's live topic. This person comes first, and therefore gets the colour they chose. */
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
