// The inspector against a parser: whatever the text, and wherever it is cut into parts, it counts what `JSON.parse` finds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonInspector } from '../../../backend/json-inspector.ts';

/** Whether the text passes when it arrives in parts of `size` bytes. */
function accepts(text: string, jsonValues: number, jsonDepth: number, size = 7): boolean {
  const bytes = new TextEncoder().encode(text);
  const inspector = new JsonInspector({ jsonValues, jsonDepth });
  for (let at = 0; at < bytes.length; at += size) if (!inspector.accepts(bytes.subarray(at, at + size))) return false;
  return true;
}

const childrenOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];
const countOf = (value: unknown): number => childrenOf(value).reduce<number>((sum, one) => sum + countOf(one), 1);
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...childrenOf(value).map(depthOf)) : 0;

test('accepts a text up to its limits, and never one with more values or deeper ones', () => {
  const tricky = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', ']', 'a', '😀') });
  const value = fc.jsonValue({ stringUnit: 'binary' });
  const any = fc.oneof(value, fc.array(tricky), fc.dictionary(tricky, fc.oneof(tricky, value)));
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 9 }), (json, size) => {
      const text = JSON.stringify(json);
      const [values, depth] = [countOf(json), depthOf(json)];
      // A list or an object counts as one more than its members, so that `[[],[],…]` counts too.
      expect(accepts(text, 2 * values, depth, size)).toBe(true);
      expect(accepts(text, values - 1, depth, size)).toBe(false);
      expect(accepts(text, 2 * values, depth - 1, size)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['a million keys', `{${Array.from({ length: 1_000 }, (_, at) => `"k${at}":0`).join(',')}}`],
  ['a million empty lists', `[${Array.from({ length: 1_000 }, () => '[]').join(',')}]`],
  ['commas that are no JSON', ','.repeat(1_000)],
  ['brackets that are never closed', '[{'.repeat(60)],
  ['quotes that are escaped', `["${'\\"'.repeat(200)}","x"${',0'.repeat(1_000)}]`],
])('refuses %s', (_, text) => {
  expect(accepts(text, 900, 100, 64)).toBe(false);
});

test('a string of commas and brackets is one value', () => {
  expect(accepts(JSON.stringify({ bytes: ',[{'.repeat(10_000) }), 10, 2, 1_000)).toBe(true);
});
