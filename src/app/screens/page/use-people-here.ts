// The people who have this page open, with the colors they are shown in.
import { useEffect } from 'react';
import type { Profile } from '../../../protocol/answers.ts';
import type { UserId } from '../../../protocol/ids.ts';
import { assignColors } from '../../../state/people/assign-colors.ts';
import { usePage, usePerson, useSettled, useValue } from '../../../state/hooks.ts';

/** The database names arriving people within a second or two. */
const NAMED_WITHIN_MS = 4_000;

/** Everybody on the page's live topic. This person comes first, and therefore gets the color they chose. */
export function usePeopleHere(): {
  readonly everyone: ReadonlyMap<UserId, Profile>;
  readonly others: readonly Profile[];
  /** Somebody is here whom the database does not name: presence may claim anything. */
  readonly isSomeoneUnnamed: boolean;
} {
  const { identity, people } = usePerson();
  const peers = useValue(usePage().peersAtom);
  const known = useValue(people.atom);
  const users = peers.flatMap(({ user }) => user ?? []);
  useEffect(() => people.ensureLoaded(peers.flatMap(({ user }) => user ?? [])), [people, peers]);
  const everyone = assignColors([identity.id, ...users], known);
  const hasUnnamed = users.length < peers.length;
  const hasHadUnnamed = useSettled(hasUnnamed, NAMED_WITHIN_MS);
  return {
    everyone,
    others: Array.from(everyone.values()).filter(({ id }) => id !== identity.id),
    isSomeoneUnnamed: hasUnnamed && hasHadUnnamed,
  };
}
