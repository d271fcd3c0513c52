// The people who have this page open, with the colors they are shown in.
import { useEffect } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Profile } from '../../protocol/answers.ts';
import { useCompany, usePage, usePerson, useValue } from '../../state/hooks.ts';
import { useSettled } from '../../ui/browser/use-time.ts';

/** The database names arriving people within a second or two. */
const NAMED_WITHIN_MS = 4_000;

export function usePeopleHere(): {
  /** Everyone on the page's live topic whose profile is loaded, this person first. */
  readonly everyone: ReadonlyMap<UserId, Profile>;
  /** `everyone` without this person. */
  readonly others: readonly Profile[];
  /** `everyone`, and the signed-in people who read the page without being on its live topic. */
  readonly company: ReadonlyMap<UserId, Profile>;
  /** Someone has been here for some seconds whom the database does not name: presence may claim anything. */
  readonly isSomeoneUnnamed: boolean;
} {
  const { identity, people } = usePerson();
  const page = usePage();
  const peers = useValue(page.peersAtom);
  const watchers = useValue(page.watchersAtom);
  const users = peers.flatMap(({ user }) => user ?? []);
  useEffect(() => people.ensureLoaded(peers.flatMap(({ user }) => user ?? [])), [people, peers]);
  const company = useCompany([identity.id, ...users, ...(watchers?.people ?? [])]);
  const here = new Set([identity.id, ...users]);
  const everyone = new Map(Array.from(company).filter(([id]) => here.has(id)));
  const hasUnnamed = users.length < peers.length;
  const hasHadUnnamed = useSettled(hasUnnamed, NAMED_WITHIN_MS);
  return {
    everyone,
    company,
    others: Array.from(everyone.values()).filter(({ id }) => id !== identity.id),
    isSomeoneUnnamed: hasUnnamed && hasHadUnnamed,
  };
}
