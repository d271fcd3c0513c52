// One colour per person on a page: where two chose the same, the later one is drawn with the next free dye
// (design, section 3). Only for drawing: nobody's profile changes.
import type { Profile } from '../../protocol/answers.ts';
import { COLORS, type Color } from '../../protocol/colors.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { PeopleById } from './people.ts';

/** `present` in the order they came; whoever is not known yet is left out. */
export function assignColors(present: readonly UserId[], people: PeopleById): ReadonlyMap<UserId, Profile> {
  const taken = new Set<Color>();
  const dyed = new Map<UserId, Profile>();
  for (const user of present) {
    const person = people.get(user);
    if (person === undefined || dyed.has(user)) continue;
    const free = taken.has(person.color) ? COLORS.find((color) => !taken.has(color)) : person.color;
    const color = free ?? person.color;
    taken.add(color);
    dyed.set(user, color === person.color ? person : { ...person, color });
  }
  return dyed;
}
