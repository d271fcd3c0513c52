import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shiftColors } from '../../../src/editor/code/code-colors.ts';

/** The colored parts of a text, in brackets. */
function shifted(before: string, after: string): string {
  const ranges: { from: number; to: number; names: string }[] = [];
  const plain = before.replace(/\[([^\]]*)\]/g, (_all, words: string, at: number) => {
    const from = at - ranges.length * 2;
    ranges.push({ from, to: from + words.length, names: 'x' });
    return words;
  });
  let shown = after;
  for (const { from, to } of shiftColors(ranges, plain, after).toReversed())
    shown = `${shown.slice(0, from)}[${shown.slice(from, to)}]${shown.slice(to)}`;
  return shown;
}

test.each([
  ['after a change colors move', '[let] a', 'x let a', 'x [let] a'],
  ['before a change colors stay', '[let] a', 'let ab', '[let] ab'],
  ['a range around the change grows', '// [a b] c', '// a x b c', '// [a x b] c'],
  ['a range that is deleted is gone', 'a [b] c', 'a  c', 'a  c'],
  ['a range of which the end is deleted is cut', 'a [bcd] e', 'a b e', 'a [b] e'],
  ['a range of which the start is deleted is cut', 'a [bcd] e', 'a d e', 'a [d] e'],
  ['the same text keeps all', '[a] b [c]', 'a b c', '[a] b [c]'],
  ['another text loses all', '[abc]', 'xyz', 'xyz'],
])('%s', (_name, before, after, expected) => {
  expect(shifted(before, after)).toBe(expected);
});

test('shifted colors are in order, do not overlap and lie inside the text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.array(fc.nat(12), { maxLength: 8 }), (before, after, cuts) => {
      const edges = [...new Set(cuts.filter((cut) => cut <= before.length))].toSorted((a, b) => a - b);
      const ranges = edges
        .slice(1)
        .flatMap((to, at) => (at % 2 === 0 ? [{ from: edges[at] ?? 0, to, names: 'x' }] : []));
      let last = 0;
      for (const { from, to } of shiftColors(ranges, before, after)) {
        expect(from).toBeGreaterThanOrEqual(last);
        expect(to).toBeGreaterThan(from);
        last = to;
      }
      expect(last).toBeLessThanOrEqual(after.length);
    }),
  );
});
