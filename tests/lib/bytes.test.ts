import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes, equalBytes, fromBase64, toBase64, toHex } from '../../src/lib/bytes.ts';

test('base64 survives a round trip, long bytes too', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(new Uint8Array(bytes));
    }),
  );
  const long = new Uint8Array(200_000).map((_, at) => at % 251);
  expect(fromBase64(toBase64(long))).toEqual(long);
});

test('line breaks as Postgres writes them are ignored, other text is not base64', () => {
  expect(fromBase64('AQID\nBAUG')).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6));
  expect(fromBase64('nönsense')).toBeNull();
  expect(fromBase64('A')).toBeNull();
});

test('bytes are joined, compared and written as hex', () => {
  const joined = concatBytes([Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 255)]);
  expect(joined).toEqual(Uint8Array.of(1, 2, 255));
  expect([equalBytes(joined, joined.slice()), equalBytes(joined, Uint8Array.of(1, 2))]).toEqual([true, false]);
  expect(toHex(joined)).toBe('0102ff');
});
