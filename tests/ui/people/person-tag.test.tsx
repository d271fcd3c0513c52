import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { COLORS } from '../../../src/protocol/colors.ts';
import { ReceiptMark, type MarkState } from '../../../src/ui/mark/receipt-mark.tsx';
import { PresenceTicks } from '../../../src/ui/people/presence-ticks.tsx';
import { initialsOf } from '../../../src/ui/people/person-tag.tsx';
import { readFileSync } from 'node:fs';

afterEach(cleanup);

const STATES: readonly MarkState[] = ['opening', 'saved', 'sending', 'late', 'device', 'tab', 'refused', 'readonly'];

test('no two receipts have the same drawing, but for the shuttle that stands still', () => {
  const drawings = STATES.map(
    (state) => render(<ReceiptMark state={state} />).container.querySelector('svg')?.innerHTML,
  );
  expect(new Set(drawings).size).toBe(STATES.length - 1);
});

test.each([
  ['Ada Nwosu', 'AN'],
  ['ruth', 'RU'],
  ['Tomás de la Rey', 'TR'],
  ['李 小龙', '李小'],
  ['👩‍🚀 Kim', '👩K'],
  ['  ', '?'],
])('the initials of %j are %j', (name, letters) => expect(initialsOf(name)).toBe(letters));

test('four ticks, then a number; the names are said', () => {
  const people = COLORS.slice(0, 6).map((color) => ({ id: color, name: color, color }));
  const { container } = render(<PresenceTicks people={people} />);
  expect(container.querySelectorAll('i')).toHaveLength(3);
  expect(screen.getByRole('img').textContent).toBe('+3');
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`Here now: ${COLORS.slice(0, 6).join(', ')}`);
});

test('every dye has a colour in both themes', () => {
  const tokens = readFileSync('src/ui/theme/tokens.css', 'utf8');
  const people = readFileSync('src/ui/people/people.css', 'utf8');
  for (const color of COLORS) {
    expect(tokens.match(new RegExp(`--person-${color}:`, 'g'))).toHaveLength(3);
    expect(people).toContain(`[data-dye='${color}']`);
  }
});

test('a theme that was chosen and the same theme of the system are the same colours', () => {
  const tokens = readFileSync('src/ui/theme/tokens.css', 'utf8');
  const block = (start: string) => {
    const from = tokens.indexOf(start);
    const body = tokens.slice(tokens.indexOf('{', from) + 1, tokens.indexOf('}', from));
    return body.replace(/\s+/g, ' ').trim();
  };
  expect(block(":root[data-theme='dark']")).toBe(block(":root:not([data-theme='light'])"));
});
