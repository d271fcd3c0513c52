import { describe, expect, test } from 'vitest';
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { assert } from '../../../src/lib/assert.ts';
import { prng, uuidFrom } from '../../../src/lib/prng.ts';
import type { Profile } from '../../../src/protocol/answers.ts';
import { COLORS, type Color } from '../../../src/protocol/colors.ts';
import { assignColors } from '../../../src/state/people/assign-colors.ts';

const required = <T>(value: T | null | undefined): T => {
  assert(value != null, 'the test has a value here');
  return value;
};
const person = (id: UserId, color: Color): Profile => ({ id, displayName: 'Someone', color });
const peopleOf = (profiles: readonly Profile[]) => new Map(profiles.map((one) => [one.id, one]));
const colorsOf = (assigned: ReadonlyMap<UserId, Profile>) => Array.from(assigned.values(), ({ color }) => color);
const idsOf = (profiles: readonly Profile[]) => profiles.map(({ id }) => id);

/** People with random ids, who like few colors, so that many chose the same. */
function strangers(seed: number, most: number): readonly Profile[] {
  const next = prng(seed);
  const liked = 1 + Math.floor(next() * COLORS.length);
  return Array.from({ length: 1 + Math.floor(next() * most) }, () =>
    person(required(parseUserId(uuidFrom(next))), required(COLORS[Math.floor(next() * liked)])),
  );
}

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed);

describe('the color of a person in company', () => {
  test.each([
    ['up to sixteen', 16],
    ['more than there are colors', 40],
  ])('%s: no two have the same color while one is free, and each is asked once', (_, most) => {
    for (const seed of SEEDS) {
      const company = strangers(seed, most);
      const assigned = assignColors([...idsOf(company), ...idsOf(company)], peopleOf(company));
      expect(Array.from(assigned.keys())).toEqual(idsOf(company));
      expect(new Set(colorsOf(assigned)).size, `seed ${seed}`).toBe(Math.min(company.length, COLORS.length));
    }
  });

  test('it does not depend on the order in which people came, nor on who looks', () => {
    for (const seed of SEEDS) {
      const company = strangers(seed, 20);
      const people = peopleOf(company);
      const here = assignColors(idsOf(company), people);
      const there = assignColors(idsOf(company).toReversed(), people);
      expect(new Map(there)).toEqual(new Map(here));
    }
  });

  test('a person whose color no one else here has keeps it, and one of several keeps theirs', () => {
    for (const seed of SEEDS) {
      const company = strangers(seed, 16);
      const assigned = assignColors(idsOf(company), peopleOf(company));
      for (const color of new Set(company.map((one) => one.color))) {
        const first = company.filter((one) => one.color === color).toSorted((a, b) => (a.id < b.id ? -1 : 1))[0];
        expect(assigned.get(required(first).id)).toBe(first);
      }
    }
  });

  test('in smaller company, people who are shown elsewhere on the screen keep the color they have there', () => {
    for (const seed of SEEDS) {
      const everyone = strangers(seed, 16);
      const present = everyone.filter((_, nth) => nth % 2 === 0);
      const settled = assignColors(idsOf(present), peopleOf(everyone));
      const assigned = assignColors(idsOf(everyone), new Map([...peopleOf(everyone), ...settled]), settled);
      for (const { id } of present) expect(assigned.get(id)?.color).toBe(settled.get(id)?.color);
      expect(new Set(colorsOf(assigned)).size).toBe(everyone.length);
    }
  });

  test('people whose profile is not loaded are left out', () => {
    const [known, unknown] = strangers(1, 16).length > 1 ? strangers(1, 16) : strangers(2, 16);
    const users = [required(unknown).id, required(known).id];
    expect(Array.from(assignColors(users, peopleOf([required(known)])).keys())).toEqual([required(known).id]);
  });
});
