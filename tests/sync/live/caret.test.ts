import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packCaret, unpackCaret } from 'weft-sync/live/caret.ts';
import * as Y from 'yjs';

const clock = fc.nat({ max: 2 ** 40 });
const id = fc.record({ client: fc.nat({ max: 2 ** 32 - 1 }), clock });
const position = fc.oneof(
  fc.record({ item: id, assoc: fc.constantFrom(-1, 0) }),
  fc.record({ tname: fc.string({ minLength: 1, maxLength: 30 }), assoc: fc.constantFrom(-1, 0) }),
  fc.record({ type: id, assoc: fc.constantFrom(-1, 0) }),
);

describe('[CA3] packing a caret', () => {
  test('is a round trip', () => {
    fc.assert(
      fc.property(position, position, (anchor, head) => {
        expect(unpackCaret(packCaret({ anchor, head }))).toEqual({ anchor, head });
      }),
    );
  });

  test('is a round trip for a text beside the page, and takes nothing but an id', () => {
    fc.assert(
      fc.property(fc.uuid(), (beside) => {
        expect(unpackCaret(packCaret({ beside }))).toEqual({ beside });
      }),
    );
    for (const value of [{ beside: 'x' }, { beside: null }, { beside: 1 }])
      expect(packCaret(value)).toEqual(Uint8Array.of(0));
    const packed = packCaret({ beside: '00000005-0000-4000-8000-000000000001' });
    expect(packed).toHaveLength(38);
    for (let length = 1; length < packed.length; length++) expect(unpackCaret(packed.slice(0, length))).toBeUndefined();
    expect(unpackCaret(Uint8Array.from([...packed, 0]))).toBeUndefined();
    expect(unpackCaret(packed.with(5, 'z'.charCodeAt(0)))).toBeUndefined();
  });

  test('costs one position when nothing is selected', () => {
    const at = { item: { client: 4_000_000_000, clock: 100_000 }, assoc: 0 };
    const other = { item: { client: 4_000_000_000, clock: 100_001 }, assoc: 0 };
    expect(packCaret({ anchor: at, head: at }).length).toBeLessThanOrEqual(13);
    expect(packCaret({ anchor: at, head: other }).length).toBeLessThanOrEqual(24);
  });

  test('means the same position as what the binding wrote, for items and types', () => {
    const doc = new Y.Doc();
    const text = doc.getText('t');
    text.insert(0, 'hello');
    for (let index = 0; index <= 5; index++) {
      const json = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, index));
      const cursor = unpackCaret(packCaret({ anchor: json, head: json }));
      const back = Y.createRelativePositionFromJSON(cursor != null && 'head' in cursor ? cursor.head : null);
      expect(Y.createAbsolutePositionFromRelativePosition(back, doc)?.index).toBe(index);
    }
  });

  test('packs anything that is not a cursor as "no caret"', () => {
    for (const value of [
      undefined,
      null,
      1,
      'x',
      {},
      { anchor: {}, head: {} },
      { anchor: { assoc: 0 }, head: { assoc: 0 } },
    ]) {
      expect(packCaret(value)).toEqual(Uint8Array.of(0));
    }
    fc.assert(fc.property(fc.anything(), (value) => void packCaret(value)));
    expect(packCaret({ anchor: { tname: 'x'.repeat(600) }, head: { tname: 'x' } })).toEqual(Uint8Array.of(0));
    expect(unpackCaret(Uint8Array.of(0))).toBeNull();
  });

  test('ignores malformed bytes and never throws', () => {
    expect(unpackCaret(new Uint8Array(0))).toBeUndefined();
    expect(unpackCaret(Uint8Array.of(0, 0))).toBeUndefined();
    expect(unpackCaret(Uint8Array.of(3, 1, 1))).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (raw) => {
        const cursor = unpackCaret(raw);
        if (cursor != null && 'head' in cursor) Y.createRelativePositionFromJSON(cursor.head);
      }),
      { numRuns: 20_000 },
    );
  });
});
