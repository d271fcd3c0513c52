// Texts that are cut to a length.
import { expect, test } from 'vitest';
import { cutText, startOfCharacter } from '../../src/lib/text/cut-text.ts';

test.each([
  ['an emoji', '🧵'],
  ['an emoji with a skin tone', '👍🏽'],
  ['a family', '👨‍👩‍👧‍👦'],
  ['a flag', '🇫🇷'],
  ['a letter with an accent', 'e\u0301'],
  ['a syllable of Devanagari', 'नि'],
  ['a syllable of Korean in parts', '\u1112\u1161\u11ab'],
])('the end is never within %s', (_what, character) => {
  const text = `ab ${character}cd`;
  for (let units = 3; units < 3 + character.length; units++) expect(cutText(text, units)).toBe('ab ');
  expect(cutText(text, 3 + character.length)).toBe(`ab ${character}`);
  expect(startOfCharacter(text, 3 + character.length)).toBe(3 + character.length);
  for (let units = 1; units < character.length; units++) expect(cutText(`${character}cd`, units)).toBe('');
});

test('a text that is not too long stays as it is', () => {
  for (const text of ['', 'a', '🧵', '\ud83e', 'e\u0301']) expect(cutText(text, text.length)).toBe(text);
  expect(cutText('a🧵', 5)).toBe('a🧵');
  expect(cutText('a🧵', 0)).toBe('');
});

test('a character of thousands of marks is cut, though not within a surrogate pair', () => {
  const text = `a${'\u{1F3FB}'.repeat(5_000)}`;
  for (const units of [999, 1_000]) {
    const cut = cutText(text, units);
    expect([cut.length, cut.isWellFormed()]).toEqual([999, true]);
  }
});
