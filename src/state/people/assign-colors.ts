// The color in which a person is shown: the one of their account, unless someone shown together with them has it. It
// depends on who is shown, never on who looks or in which order they came, so all who see the same people see the same colors.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Profile } from '../../protocol/answers.ts';
import { COLORS, type Color } from '../../protocol/colors.ts';
import type { PeopleById } from './people.ts';

/**
 * The people of `company` whose profile is loaded, in the same order. If several have the same color, one keeps it:
 * first those in `settled`, because they are shown elsewhere on the screen, then the one whose id comes first.
 */
export function assignColors(
  company: readonly UserId[],
  people: PeopleById,
  settled: PeopleById = new Map(),
): ReadonlyMap<UserId, Profile> {
  const assigned = new Map(company.flatMap((user) => pairOf(people.get(user))));
  const byRank = Array.from(assigned.values()).sort(
    (a, b) => Number(settled.has(b.id)) - Number(settled.has(a.id)) || (a.id < b.id ? -1 : 1),
  );
  const taken = new Set<Color>();
  const others: Profile[] = [];
  for (const person of byRank) {
    if (taken.has(person.color)) others.push(person);
    taken.add(person.color);
  }
  for (const person of others) {
    const free = ownOrder(person.id).find((color) => !taken.has(color));
    if (free === undefined) continue;
    taken.add(free);
    assigned.set(person.id, { ...person, color: free });
  }
  return assigned;
}

const pairOf = (person: Profile | undefined) => (person === undefined ? [] : [[person.id, person] as const]);

/**
 * The order in which other colors are tried for a person. Each person's begins elsewhere, so they often get the same color in
 * other company.
 */
function ownOrder(user: UserId): readonly Color[] {
  const start = Number.parseInt(user.slice(0, 2), 16) % COLORS.length;
  return [...COLORS.slice(start), ...COLORS.slice(0, start)];
}
