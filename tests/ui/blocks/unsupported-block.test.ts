import { expect, test, vi } from 'vitest';
import { shownParts } from '../../../src/ui/blocks/unsupported-block-text.ts';
import { createUnsupportedBlock } from '../../../src/ui/blocks/unsupported-block.ts';

const LONG = 'x'.repeat(12_000);

test('an unsupported block shows its note, the beginning of a long text, and more of it on request', () => {
  const { dom, update } = createUnsupportedBlock({ note: 'Too large to draw.', text: LONG, onDelete: null });
  const text = dom.querySelector('pre');
  const [remove, more] = dom.querySelectorAll('button');
  expect(dom.textContent).toContain('Too large to draw.');
  expect(text?.textContent).toHaveLength(5_000);
  more?.click();
  more?.click();
  expect(text?.textContent).toHaveLength(12_000);
  expect(more?.hidden).toBe(true);
  expect(remove?.hidden).toBe(true);
  update({ note: 'Still too large.', text: '', onDelete: null });
  expect(text?.hidden).toBe(true);
});

test('its button deletes the block', () => {
  const onDelete = vi.fn<() => void>();
  const { dom } = createUnsupportedBlock({ note: '', text: 'x', onDelete });
  dom.querySelector('button')?.click();
  expect(onDelete).toHaveBeenCalledOnce();
});

test('the shown part never ends inside an emoji', () => {
  const { shown, left } = shownParts(`x${'🧵'.repeat(3_000)}`, 1);
  expect(shown.endsWith('🧵')).toBe(true);
  expect(shown.length + left).toBe(6_001);
});

test('marks and skin tones beyond any script and direction signs are left out, and long lines of costly scripts are broken', () => {
  const shownOf = (text: string) => shownParts(text, 1).shown;
  expect(shownOf(`x${'\u0301'.repeat(4_000)}!`)).toBe(`x${'\u0301'.repeat(8)}!`);
  expect(shownOf(`x${'\u{1F3FB}'.repeat(2_000)}!`)).toBe(`x${'\u{1F3FB}'.repeat(8)}!`);
  expect(shownOf('\u202Eab\u2066c')).toBe('abc');
  expect(
    shownOf('\u0628'.repeat(3_000))
      .split('\n')
      .map((line) => line.length),
  ).toEqual([501, 501, 501, 501, 501, 495]);
  expect(shownOf('🇦🇧'.repeat(50))).toBe(`${'🇦🇧'.repeat(20)}\n${'🇦🇧'.repeat(20)}\n${'🇦🇧'.repeat(10)}`);
  expect(
    shownOf('👩🏽\u200d'.repeat(100))
      .split('\n')
      .map((line) => line.length),
  ).toEqual([200, 200, 100]);
  expect(shownOf('words '.repeat(500))).toBe('words '.repeat(500));
});
