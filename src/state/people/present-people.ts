// The people of a workspace who are there now, this person included, in their colors. The atom does not change when they only
// go to another page.
import { type Atom, atom } from 'jotai/vanilla';
import { selectAtom } from 'jotai/vanilla/utils';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { isSameList } from '../../lib/lists/is-same-list.ts';
import type { MemberLocation } from '../../ports/streams.ts';
import { assignColors } from './assign-colors.ts';
import type { PeopleById } from './people.ts';

export function presentPeople(
  locationsAtom: Atom<readonly MemberLocation[] | null>,
  peopleAtom: Atom<PeopleById>,
  me: UserId,
): Atom<PeopleById> {
  const usersAtom = selectAtom(
    locationsAtom,
    (all): readonly UserId[] => Array.from(new Set([me, ...(all ?? []).map(({ user }) => user)])).toSorted(),
    isSameList,
  );
  return atom((get) => assignColors(get(usersAtom), get(peopleAtom)));
}
