import { expect, test } from 'vitest';
import { PLAIN, parseStyle, type Block } from 'weft-document/blocks/block.ts';
import { textCounts } from 'weft-document/body/text-counts.ts';
import { inSteps } from '../../../src/lib/async/in-steps.ts';

const block = (text: string): Block => ({
  type: 'block',
  key: '',
  id: null,
  ...parseStyle({}),
  runs: text === '' ? [] : [{ ...PLAIN, text }],
});
const counts = (...lines: readonly string[]) => inSteps(textCounts(lines.map(block)));

test('words and characters are counted as people see them', async () => {
  expect(await counts('One two', '', 'three')).toEqual({ words: 3, characters: 12, minutes: 1 });
  expect(await counts('')).toEqual({ words: 0, characters: 0, minutes: 0 });
  // A family, a flag, an e with a combining accent.
  expect((await counts('👩‍👩‍👧 🇳🇴 e\u0301')).characters).toBe(5);
  expect((await counts('今日は天気')).words).toBeGreaterThan(1);
});

test('the reading time grows with the number of words', async () => {
  expect((await counts('word '.repeat(2380))).minutes).toBe(10);
});

test('a long text is counted as exactly as a short one', async () => {
  const flags = '🇳🇴 '.repeat(5_000);
  expect(await counts(`${'word '.repeat(9_999)}word`, flags)).toMatchObject({ words: 10_000, characters: 59_999 });
});
