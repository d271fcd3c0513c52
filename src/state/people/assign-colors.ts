// Gives each person on a page a color of their own: if two chose the same, the later one is drawn in the next free
// color. Nobody's profile changes.
import type { Profile } from '../../protocol/answers.ts';
import { COLORS, type Color } from '../../protocol/colors.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { PeopleById } from './people.ts';

/** `present` is in order of arrival. People whose profile is not loaded yet are left out. */
export function assignColors(present: readonly UserId[], people: PeopleById): ReadonlyMap<UserId, Profile> {
  const taken = new Set<Color>();
  const assigned = new Map<UserId, Profile>();
  for (const user of present) {
    const person = people.get(user);
    if (person === undefined || assigned.has(user)) continue;
    const free = taken.has(person.color) ? COLORS.find((color) => !taken.has(color)) : person.color;
    const color = free ?? person.color;
    taken.add(color);
    assigned.set(user, color === person.color ? person : { ...person, color });
  }
  return assigned;
}
