import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import { type Part, type RowMessage, decodeRows, encodeRows } from 'weft-sync/protocol/row.ts';
import { uuidFrom } from '../../../src/lib/prng.ts';

const sessions = fc
  .infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  .map((stream): SessionId => {
    const id = parseSessionId(uuidFrom(() => Number(stream.next().value)));
    if (id === null) throw new Error('not a uuid');
    return id;
  });
const n = fc.nat({ max: 2 ** 31 - 1 });
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const parts: fc.Arbitrary<Part> = fc.record({
  session: sessions,
  clientId: count,
  nFrom: n,
  nTo: n,
  update: fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
});
const rows = fc
  .tuple(parts, count, fc.array(parts, { maxLength: 3 }))
  .map(([own, seq, dependencies]) => ({ ...own, seq, dependencies }));
const timedRows = fc.tuple(rows, count).map(([row, at]) => ({ ...row, at }));
/** Among others that stand for themselves alone. */
const compactedRows = fc
  .tuple(timedRows, fc.nat(4000), count)
  .map(([row, before, firstAt]) =>
    before === 0 || before > row.seq ? row : { ...row, firstSeq: row.seq - before, firstAt },
  );
const messages: fc.Arbitrary<RowMessage> = fc.oneof(
  fc.record({ kind: fc.constant('fetch' as const), head: count }),
  fc.record({ kind: fc.constant('rows' as const), head: count, rows: fc.array(rows, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('rows' as const), head: count, rows: fc.array(timedRows, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('rows' as const), head: count, rows: fc.array(compactedRows, { maxLength: 4 }) }),
);

describe('[LK3] row messages', () => {
  test('survive encoding and decoding', () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(decodeRows(encodeRows(message))).toEqual({ ok: true, value: message });
      }),
    );
  });

  test('have the layout that Postgres writes', () => {
    const id = parseSessionId('00112233-4455-4677-8899-aabbccddeeff');
    if (id === null) throw new Error('not a uuid');
    const own = { session: id, clientId: 4_294_967_295, nFrom: 2, nTo: 258, update: Uint8Array.of(9, 8) };
    const row = { ...own, seq: 512, at: 1_767_225_600_000, dependencies: [] };
    const bytes = encodeRows({ kind: 'rows', head: 513, rows: [row] });
    // version, kind, head · count · seq, time · session · client id · n_from, n_to · size, bytes · dependencies
    const hex =
      '02 01 0000000000000201 00000001 0000000000000200 0000019b76daa800 00112233445546778899aabbccddeeff ' +
      '00000000ffffffff 00000002 00000102 00000002 0908 0000';
    expect(Buffer.from(bytes).toString('hex')).toBe(hex.replaceAll(' ', ''));
  });

  test('have the first row and its time in version 3, where a row that is not compacted stands for itself', () => {
    const id = parseSessionId('00112233-4455-4677-8899-aabbccddeeff');
    if (id === null) throw new Error('not a uuid');
    const own = { session: id, clientId: 1, nFrom: 2, nTo: 3, update: Uint8Array.of(9) };
    const rows = [
      { ...own, seq: 1, at: 5, dependencies: [] },
      { ...own, seq: 9, at: 8, firstSeq: 2, firstAt: 6, dependencies: [] },
    ];
    const rest = '00112233445546778899aabbccddeeff 0000000000000001 00000002 00000003 00000001 09 0000';
    const hex =
      '03 01 0000000000000009 00000002 ' +
      `0000000000000001 0000000000000005 0000000000000001 0000000000000005 ${rest}` +
      `0000000000000009 0000000000000008 0000000000000002 0000000000000006 ${rest}`;
    const bytes = encodeRows({ kind: 'rows', head: 9, rows });
    expect(Buffer.from(bytes).toString('hex')).toBe(hex.replaceAll(' ', ''));
    // A row cannot begin after itself.
    expect(
      decodeRows(
        encodeRows({
          kind: 'rows',
          head: 9,
          rows: [{ ...own, seq: 1, at: 1, firstSeq: 2, firstAt: 1, dependencies: [] }],
        }),
      ),
    ).toMatchObject({ ok: false });
  });

  test('are version 1 if a row has no time, or there is none, so that a tab of an older app reads them', () => {
    const id = parseSessionId('00112233-4455-4677-8899-aabbccddeeff');
    if (id === null) throw new Error('not a uuid');
    const own = { session: id, clientId: 5_000, nFrom: 1, nTo: 2, update: Uint8Array.of(9) };
    const row = { ...own, seq: 0, dependencies: [] };
    const versions = [
      encodeRows({ kind: 'rows', head: 1, rows: [row] }),
      encodeRows({ kind: 'rows', head: 1, rows: [{ ...row, at: 5 }, row] }),
      encodeRows({ kind: 'rows', head: 1, rows: [] }),
      encodeRows({ kind: 'fetch', head: 1 }),
    ].map((bytes) => bytes[0]);
    expect(versions).toEqual([1, 1, 1, 1]);
  });

  test('never throw when decoded, whatever the bytes, and are refused if cut short or too long', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (raw) => void decodeRows(raw)),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(messages, fc.nat(), (message, cut) => {
        const bytes = encodeRows(message);
        const at = cut % bytes.length;
        expect(decodeRows(bytes.slice(0, at)).ok).toBe(false);
        expect(decodeRows(Uint8Array.of(...bytes, 0)).ok).toBe(false);
      }),
    );
  });

  test('are refused if a count goes beyond the end', () => {
    const bytes = encodeRows({ kind: 'rows', head: 1, rows: [] });
    bytes.set([0x7f, 0xff, 0xff, 0xff], 10);
    expect(decodeRows(bytes)).toMatchObject({ ok: false, error: { code: 'WF005' } });
  });

  test('[HI2] say which row each of them follows, if the message names the one before', () => {
    const id = parseSessionId('00112233-4455-4677-8899-aabbccddeeff');
    if (id === null) throw new Error('not a uuid');
    const own = { session: id, clientId: 5_000, nFrom: 1, nTo: 2, update: Uint8Array.of(9) };
    const at = (seq: number, time: number) => ({ ...own, seq, at: time, dependencies: [] });
    const bytes = encodeRows({ kind: 'rows', head: 8, before: 40, rows: [at(7, 41), at(8, 45)] });
    expect(decodeRows(bytes)).toEqual({
      ok: true,
      value: {
        kind: 'rows',
        head: 8,
        before: 40,
        rows: [
          { ...at(7, 41), follows: 40 },
          { ...at(8, 45), follows: 41 },
        ],
      },
    });
  });

  test('are refused if their version or kind is unknown', () => {
    const bytes = encodeRows({ kind: 'fetch', head: 1 });
    for (const version of [0, 5])
      expect(decodeRows(Uint8Array.of(version, ...bytes.slice(1)))).toMatchObject({ ok: false });
    expect(decodeRows(Uint8Array.of(1, 3, ...bytes.slice(2)))).toMatchObject({ ok: false });
  });
});
