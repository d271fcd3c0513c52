import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedTree } from '../../../src/yjs/integration/ordered-tree.ts';

type Value = { readonly size: number };

/** A sequence as an array and as a tree, built by insertions at the given places. */
function built(start: readonly number[], insertions: readonly (readonly [at: number, size: number])[]) {
  const list: Value[] = start.map((size) => ({ size }));
  const labels = new Map<Value, { label: number }>();
  let comparisons = 0;
  const tree = new OrderedTree<Value>(
    (a, b) => a.size > b.size,
    list,
    (entry) => labels.set(entry.value, entry),
  );
  for (const [at, size] of insertions) {
    const value = { size };
    const place = at % (list.length + 1);
    const left = list[place - 1];
    const leftLabel = left === undefined ? -1 : (labels.get(left)?.label ?? 0);
    tree.insert(
      value,
      (other) => {
        comparisons += 1;
        return (labels.get(other)?.label ?? 0) <= leftLabel;
      },
      (entry) => labels.set(value, entry),
    );
    list.splice(place, 0, value);
  }
  return { list, tree, labels, comparisons };
}

test('a sequence has its values in order, and the labels grow along it, wherever values were inserted', () => {
  const insertions = fc.array(fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 9 })), { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 9 }), { maxLength: 30 }),
      insertions,
      fc.nat(),
      fc.nat(10),
      (start, more, at, min) => {
        const { list, tree, labels } = built(start, more);
        expect([...tree.values()]).toEqual(list);
        const inOrder = list.map((value) => labels.get(value)?.label ?? Number.NaN);
        expect(inOrder.every((label, n) => n === 0 || label > (inOrder[n - 1] ?? Number.NaN))).toBe(true);
        const place = at % (list.length + 1);
        const indexes = new Map(list.map((value, n) => [value, n]));
        const passes = ({ size }: Value) => size >= min;
        const first = list.find((value, n) => n >= place && passes(value)) ?? null;
        expect(tree.first((value) => (indexes.get(value) ?? 0) >= place, passes)).toBe(first);
        const last = list.findLast((value, n) => n < place && passes(value)) ?? null;
        expect(tree.last((value) => (indexes.get(value) ?? 0) < place, passes)).toBe(last);
      },
    ),
  );
});

test.each([
  ['at the end', (n: number) => n],
  ['at the beginning', () => 0],
  ['always at one place', (n: number) => Math.min(n, 7)],
  ['in the middle', (n: number) => n >> 1],
])('thirty thousand insertions %s take few comparisons each, and the labels stay exact', (_, placeOf) => {
  const count = 30_000;
  const { list, labels, comparisons } = built(
    [],
    Array.from({ length: count }, (__, n) => [placeOf(n), n]),
  );
  expect(comparisons).toBeLessThan(45 * count);
  expect(list.every((value) => Number.isSafeInteger(labels.get(value)?.label))).toBe(true);
});

test('a search among thirty thousand values looks at few of them', () => {
  const values = Array.from({ length: 30_000 }, (_, n) => ({ size: n % 1_000 }));
  const tree = new OrderedTree<Value>((a, b) => a.size > b.size, values);
  const indexes = new Map(values.map((value, n) => [value, n]));
  let looks = 0;
  const found = tree.first(
    (value) => (looks++, (indexes.get(value) ?? 0) > 12_345),
    ({ size }) => (looks++, size >= 999),
  );
  expect(indexes.get(found ?? { size: 0 })).toBe(12_999);
  expect(looks).toBeLessThan(100);
});
