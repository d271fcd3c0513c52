import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uuidFrom } from '../../src/lib/prng.ts';
import { type SessionId, parseSessionId } from '../../src/protocol/ids.ts';
import { type Part, type RowMessage, decodeRows, encodeRows } from '../../src/protocol/row.ts';

const session = fc
  .infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map((stream): SessionId => {
    const id = parseSessionId(uuidFrom(() => Number(stream.next().value)));
    if (id === null) throw new Error('not a uuid');
    return id;
  });
const n = fc.nat({ max: 2 ** 31 - 1 });
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const part: fc.Arbitrary<Part> = fc.record({
  session,
  clientId: count,
  nFrom: n,
  nTo: n,
  update: fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
});
const row = fc
  .tuple(part, count, fc.array(part, { maxLength: 3 }))
  .map(([own, seq, dependencies]) => ({ ...own, seq, dependencies }));
const message: fc.Arbitrary<RowMessage> = fc.oneof(
  fc.record({ kind: fc.constant('fetch' as const), head: count }),
  fc.record({ kind: fc.constant('rows' as const), head: count, rows: fc.array(row, { maxLength: 4 }) }),
);

describe('[LK3] row messages', () => {
  test('are what they were after encoding and decoding', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(decodeRows(encodeRows(one))).toEqual({ ok: true, value: one });
      }),
    );
  });

  test('have the layout that Postgres writes', () => {
    const id = parseSessionId('00112233-4455-4677-8899-aabbccddeeff');
    if (id === null) throw new Error('not a uuid');
    const own = { session: id, clientId: 4_294_967_295, nFrom: 2, nTo: 258, update: Uint8Array.of(9, 8) };
    const bytes = encodeRows({ kind: 'rows', head: 513, rows: [{ ...own, seq: 512, dependencies: [] }] });
    // version, kind, head · count · seq · session · client id · n_from, n_to · size, bytes · dependencies
    const hex =
      '01 01 0000000000000201 00000001 0000000000000200 00112233445546778899aabbccddeeff ' +
      '00000000ffffffff 00000002 00000102 00000002 0908 0000';
    expect(Buffer.from(bytes).toString('hex')).toBe(hex.replaceAll(' ', ''));
  });

  test('never throw, whatever bytes come, and never take half a message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (raw) => void decodeRows(raw)),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(message, fc.nat(), (one, cut) => {
        const bytes = encodeRows(one);
        const at = cut % bytes.length;
        expect(decodeRows(bytes.slice(0, at)).ok).toBe(false);
        expect(decodeRows(Uint8Array.of(...bytes, 0)).ok).toBe(false);
      }),
    );
  });

  test('refuse sizes and counts beyond the end before copying anything', () => {
    const bytes = encodeRows({ kind: 'rows', head: 1, rows: [] });
    bytes.set([0x7f, 0xff, 0xff, 0xff], 10);
    expect(decodeRows(bytes)).toMatchObject({ ok: false, error: { code: 'WF005' } });
  });

  test('of another version or kind are refused', () => {
    const bytes = encodeRows({ kind: 'fetch', head: 1 });
    expect(decodeRows(Uint8Array.of(2, ...bytes.slice(1)))).toMatchObject({ ok: false });
    expect(decodeRows(Uint8Array.of(1, 3, ...bytes.slice(2)))).toMatchObject({ ok: false });
  });
});
