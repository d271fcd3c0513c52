// The design tokens agree with the code and with each other.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COLORS } from '../../../src/protocol/colors.ts';

const tokens = readFileSync('src/ui/theme/tokens.css', 'utf8');
const people = readFileSync('src/ui/people/people.css', 'utf8');

test('each of a person’s colors has a value in both themes', () => {
  for (const color of COLORS) {
    expect(tokens.match(new RegExp(`--person-${color}:`, 'g'))).toHaveLength(3);
    expect(people).toContain(`[data-dye='${color}']`);
  }
});

test('the dark theme has the same colors whether the person or the system chose it', () => {
  const block = (start: string) => {
    const from = tokens.indexOf(start);
    const body = tokens.slice(tokens.indexOf('{', from) + 1, tokens.indexOf('}', from));
    return body.replace(/\s+/g, ' ').trim();
  };
  expect(block(":root[data-theme='dark']")).toBe(block(":root:not([data-theme='light'])"));
});
