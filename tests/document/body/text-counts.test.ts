import { expect, test } from 'vitest';
import { PLAIN, parseStyle, type Block } from '../../../src/document/blocks/block.ts';
import { textCounts } from '../../../src/document/body/text-counts.ts';

const block = (text: string): Block => ({
  type: 'block',
  key: '',
  id: null,
  ...parseStyle({}),
  runs: text === '' ? [] : [{ ...PLAIN, text }],
});
const counts = (...lines: readonly string[]) => textCounts(lines.map(block));

test('words and characters are counted as people see them', () => {
  expect(counts('One two', '', 'three')).toEqual({ words: 3, characters: 12, minutes: 1 });
  expect(counts('')).toEqual({ words: 0, characters: 0, minutes: 0 });
  // A family, a flag, an e with a combining accent.
  expect(counts('👩‍👩‍👧 🇳🇴 e\u0301').characters).toBe(5);
  expect(counts('今日は天気').words).toBeGreaterThan(1);
});

test('the reading time grows with the number of words', () => {
  expect(counts('word '.repeat(2380)).minutes).toBe(10);
});
