// A change in words, for a terminal.
import { expect, test } from 'vitest';
import { changeText } from '../../../src/client/command/change-text.ts';

test('a long text is cut after a character, and says how much is left out', () => {
  const block = { kind: 'added', block: null, type: 'paragraph', text: '', removed: '' } as const;
  const inserted = `${'x'.repeat(118)}👍🏽${'y'.repeat(10)}`;
  const change = {
    seq: 7,
    since: 6,
    author: null,
    at: null,
    title: '',
    titleChange: null,
    blocks: [{ ...block, inserted }],
    more: 0,
    isDamaged: false,
  };
  expect(changeText(change)).toBe(`(time unknown) #7  Added a paragraph: “${'x'.repeat(118)}…” (14 more characters)\n`);
});
