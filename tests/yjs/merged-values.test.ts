// Chains of values, which Yjs merges into one item.
import fc from 'fast-check';
import * as encoding from 'lib0/encoding';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type ForgedContent, forge } from '../sync/forge.ts';

const CLIENT = 10;

/** A list in which each value is an item behind the one before. */
const chain = (contents: readonly ForgedContent[], clock = 0) =>
  forge([
    {
      client: CLIENT,
      clock,
      structs: contents.map((content, n) => ({ origin: clock + n === 0 ? null : [CLIENT, clock + n - 1], content })),
    },
  ]);

const any = (value: encoding.AnyEncodable): ForgedContent => ({ ref: 'any', values: [value] });

/** The old content of Yjs that holds values as JSON. */
function json(value: unknown): ForgedContent {
  const out = encoding.createEncoder();
  encoding.writeVarUint(out, 1);
  encoding.writeVarString(out, JSON.stringify(value));
  return { ref: 'raw', number: 2, bytes: [...encoding.toUint8Array(out)] };
}

const itemsOf = (doc: Y.Doc) => doc.store.clients.get(CLIENT)?.map(({ length }) => length);

test('[GB3] values that are merged, cut, deleted and read keep their order, and nested lists stay nested', () => {
  const cut = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 40 }), reads: fc.boolean() });
  const kind = fc.constantFrom(any, json);
  fc.assert(
    fc.property(
      kind,
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      fc.array(cut),
      (content, sizes, cuts) => {
        const doc = newDoc();
        const list = doc.getArray<unknown>('t');
        const values: unknown[] = [];
        for (const size of sizes) {
          const more = Array.from({ length: size }, (_, n) =>
            n % 3 === 0 ? [values.length + n, ['deep']] : values.length + n,
          );
          Y.applyUpdate(
            doc,
            chain(
              more.map((value) => content(value)),
              values.length,
            ),
          );
          values.push(...more);
          expect(itemsOf(doc)).toEqual([values.length]);
        }
        for (const { at, length: most, reads } of cuts) {
          if (values.length === 0) break;
          const from = at % values.length;
          const count = Math.min(most, values.length - from);
          list.delete(from, count);
          list.insert(from, ['new', 'values']);
          values.splice(from, count, 'new', 'values');
          const length = reads ? list.toArray().length : list.length;
          expect(length).toBe(values.length);
        }
        expect(list.toArray()).toEqual(values);
        const copy = newDoc();
        Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
        expect(copy.getArray('t').toArray()).toEqual(values);
      },
    ),
    { numRuns: 200 },
  );
});

test('[GB3] a chain of values is merged without a copy of all for each', () => {
  const count = 5_000;
  const concat = vi.spyOn(Array.prototype, 'concat');
  onTestFinished(() => concat.mockRestore());
  const doc = newDoc();
  Y.applyUpdate(doc, chain(Array.from({ length: count }, (_, n) => any(n))));
  expect(itemsOf(doc)).toEqual([count]);
  const copied = concat.mock.results.reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 0), 0);
  // Yjs: twelve million.
  expect(copied).toBeLessThan(10 * count);
  expect(doc.getArray('t').length).toBe(count);
});
