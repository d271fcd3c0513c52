// The people who have this page open, with the colors they are shown in.
import { useEffect } from 'react';
import type { Profile } from '../../../protocol/answers.ts';
import type { UserId } from '../../../protocol/ids.ts';
import { assignColors } from '../../../state/people/assign-colors.ts';
import { usePage, usePerson, useValue } from '../../../state/hooks.ts';

/** Everybody on the page's live topic. This person comes first, and therefore gets the color they chose. */
export function usePeopleHere(): {
  readonly everyone: ReadonlyMap<UserId, Profile>;
  readonly others: readonly Profile[];
} {
  const { identity, people } = usePerson();
  const peers = useValue(usePage().peersAtom);
  const known = useValue(people.atom);
  useEffect(() => people.ensureLoaded(peers.map(({ user }) => user)), [people, peers]);
  const everyone = assignColors([identity.id, ...peers.map(({ user }) => user)], known);
  return { everyone, others: Array.from(everyone.values()).filter(({ id }) => id !== identity.id) };
}
