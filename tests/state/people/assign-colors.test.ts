import { expect, test } from 'vitest';
import { assignColors } from '../../../src/state/people/assign-colors.ts';
import { alice, bob, profiles, userId } from '../../support/app/app-fixture.ts';

test('if two people chose one color, the later gets the first free one, and nobody else changes', () => {
  const people = new Map(profiles.map((one) => [one.id, one]));
  const colored = assignColors([alice.id, bob.id, userId(3), alice.id, userId(9)], people);
  expect(Array.from(colored.values(), ({ color }) => color)).toEqual(['orchil', 'rust', 'saffron']);
  expect(colored.get(alice.id)).toBe(people.get(alice.id));
});
