import { expect, test } from 'vitest';
import { printableJson, printableLine, printableText } from '../../src/lib/text/printable-text.ts';

const EVERY_UNIT = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('');
const UNSAFE = /[[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]--[\t\n]]/v;

test('no character of any text controls a terminal or reverses a direction', () => {
  expect(printableText(EVERY_UNIT)).not.toMatch(UNSAFE);
  expect(printableText(EVERY_UNIT).isWellFormed()).toBe(true);
  expect(printableText('a\u001b[31mb\u007f\u009b\u202Ec\rd')).toBe('a␛[31mb␡⟨U+009B⟩⟨U+202E⟩c␍d');
});

test('text that people write stays as it is', () => {
  const text = 'Tab\tline\nнаконец 日本語 שלום \u200Fمرحبا\u200E 👩‍👩‍👧 e\u0301';
  expect(printableText(text)).toBe(text);
  expect(printableLine('a\tb\n\nc')).toBe('a b c');
});

test('JSON is safe in the same way, in one line, and loses nothing', () => {
  const value = { text: EVERY_UNIT, 'k\u202Ey': '\u001b' };
  expect(printableJson(value)).not.toMatch(UNSAFE);
  expect(printableJson(value)).not.toContain('\n');
  expect(JSON.parse(printableJson(value))).toEqual(value);
});
