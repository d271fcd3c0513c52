import { expect, test } from 'vitest';
import { MAX_DRAWING_MS, drawingCost } from '../../../src/ui/blocks/drawing-cost.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const isTooCostly = (text: string, marks = 0) => drawingCost([{ text, marks, formulas: 0 }]) > MAX_DRAWING_MS;

/** Each text with the number of characters up to which it is drawn. */
test.each([
  ['Latin words', 'words ', 390_000],
  ['Chinese', '中', 390_000],
  ['Arabic words in one line', 'باب ', 6_800],
  ['lines of Arabic', `${'باب '.repeat(100)}\n`, 90_000],
  ['accents', 'e\u0301', 100_000],
  ['marks on one character', '\u0301', 6_000],
  ['skin tones in a row', '\u{1F3FB}', 1_200],
  ['skin tones and variation selectors', '\u{1F3FB}\uFE0F', 1_500],
  ['hands with a skin tone', '\u{1F44B}\u{1F3FB}', 300_000],
  ['joined emoji', '\u{1F469}\u200D', 17_000],
  ['joined emoji with a skin tone', '\u{1F469}\u{1F3FD}\u200D', 1_880],
  ['pairs in a row that are no flag', '\u{1F1E6}\u{1F1E7}', 1_265],
  ['flags with a space between', '\u{1F1E9}\u{1F1EA} ', 290_000],
  ['line breaks', '\n', 35_000],
])('%s', (_name, part, limit) => {
  const text = (length: number) => part.repeat(Math.ceil(length / part.length));
  expect([isTooCostly(text(limit * 0.9)), isTooCostly(text(limit * 1.2))]).toEqual([false, true]);
});

test('marks cost an element each, for every run of characters', () => {
  const pieces = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ text: 'x', marks: at % 2, formulas: 0 }));
  expect(drawingCost(pieces(1_000))).toBeLessThan(MAX_DRAWING_MS);
  expect(drawingCost(pieces(8_000))).toBeGreaterThan(MAX_DRAWING_MS);
});

test('formulas cost several elements each', () => {
  const cost = (formulas: number) => drawingCost([{ text: '$x$'.repeat(formulas), marks: 1, formulas }]);
  expect(cost(500)).toBeLessThan(MAX_DRAWING_MS);
  expect(cost(700)).toBeGreaterThan(MAX_DRAWING_MS);
});

test('a million characters are estimated as fast as a hundred times ten thousand', async () => {
  const [text, part] = ['باب '.repeat(250_000), 'باب '.repeat(2_500)];
  expect(isTooCostly(text)).toBe(true);
  const times = await timesAsLong(
    () => isTooCostly(text),
    repeatedly(100, () => isTooCostly(part)),
  );
  expect(times).toBeLessThan(20);
});
