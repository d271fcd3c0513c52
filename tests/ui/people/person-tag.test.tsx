import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { COLORS } from '../../../src/protocol/colors.ts';
import { initialsOf } from '../../../src/ui/people/person-tag.tsx';
import { PresenceTicks } from '../../../src/ui/people/presence-ticks.tsx';

afterEach(cleanup);

test.each([
  ['Ada Nwosu', 'AN'],
  ['ruth', 'RU'],
  ['Tomás de la Rey', 'TR'],
  ['李 小龙', '李小'],
  ['👩‍🚀 Kim', '👩K'],
  ['  ', '?'],
])('the initials of %j are %j', (name, letters) => expect(initialsOf(name)).toBe(letters));

test('shows up to four ticks, then a number, and names everyone in its label', () => {
  const people = COLORS.slice(0, 6).map((color) => ({ id: color, name: color, color }));
  const { container } = render(<PresenceTicks people={people} />);
  expect(container.querySelectorAll('i')).toHaveLength(3);
  expect(screen.getByRole('img').textContent).toBe('+3');
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`Here now: ${COLORS.slice(0, 6).join(', ')}`);
});
