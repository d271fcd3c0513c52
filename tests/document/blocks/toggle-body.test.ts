import { expect, test } from 'vitest';
import { type ToggleRow, bodyEnd, foldedRows } from 'weft-document/blocks/toggle-body.ts';

/**
 * `t0` is a toggle without indent, `p1` a text with indent 1, `x` a node without an indent. A row's id is its position.
 */
const rows = (words: string): readonly ToggleRow[] =>
  words.split(' ').map((word, at) => ({
    id: String(at),
    isToggle: word.startsWith('t'),
    indent: word === 'x' ? null : Number(word.slice(1)),
  }));

const shown = (words: string, ...folded: readonly number[]): string => {
  const hidden = foldedRows(rows(words), new Set(folded.map(String)));
  return words
    .split(' ')
    .filter((_word, at) => !hidden.has(at))
    .join(' ');
};

test.each([
  ['t0 p1 p2 p1 p0', 4],
  ['t0 p0', 1],
  ['t0', 1],
  ['t0 x p1 p0', 3],
  ['t0 p1 x p0', 2],
  ['t0 p1 x', 2],
  ['t1 p2 p1 p2', 2],
])('the body of the first of %s ends before index %i', (words, end) => {
  expect(bodyEnd(rows(words), 0)).toBe(end);
});

test('a folded toggle hides its body, including the toggles in it, and nothing else', () => {
  expect(shown('p0 t0 p1 t1 p2 p0', 1)).toBe('p0 t0 p0');
  expect(shown('p0 t0 p1 t1 p2 p0', 3)).toBe('p0 t0 p1 t1 p0');
  expect(shown('t0 p1 t0 p1', 0)).toBe('t0 t0 p1');
  expect(shown('t0 p1', 7)).toBe('t0 p1');
});

test('a folded toggle that became another kind of block hides nothing', () => {
  expect(shown('p0 p1', 0)).toBe('p0 p1');
});

test('each hidden row knows the outermost toggle', () => {
  expect([...foldedRows(rows('t0 t1 p2 p0'), new Set(['0', '1']))]).toEqual([
    [1, 0],
    [2, 0],
  ]);
});
