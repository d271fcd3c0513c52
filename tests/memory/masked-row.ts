// Overwrites letters in a row's bytes as weft.mask_texts does: each by a sign of as many bytes and UTF-16 units.
import type { Bytes } from '../../src/lib/bytes.ts';
import { type Row, encodeRows, decodeRows } from '../../src/protocol/row.ts';
import type { RowPlaces } from '../../src/sync/log/erased-rows.ts';
import type { TextPlace } from '../../src/sync/updates/text-places.ts';

/** `row` as the person who erases has read it. */
export type ErasedPlaces = RowPlaces & { readonly row: Row };

const SIGNS = ['', '*', '·', '█', '🟦'];

export function withoutLetters({ row, update, dependencies }: ErasedPlaces): Row {
  const times = { at: row.at ?? 0 };
  const own = mask(row.update, update);
  // The places count from the beginning of the encoded dependencies, which end the message of a row.
  const message = encodeRows({ kind: 'rows', head: 0, rows: [{ ...row, ...times }] }, 3);
  const size = 2 + row.dependencies.reduce((sum, part) => sum + 36 + part.update.length, 0);
  const start = message.length - size;
  const masked = mask(
    message,
    dependencies.map(([at, ...place]) => [start + at, ...place] as const),
  );
  const decoded = decodeRows(masked);
  if (!decoded.ok || decoded.value.kind !== 'rows') throw new Error('a masked row does not decode');
  return { ...row, update: own, dependencies: decoded.value.rows[0]?.dependencies ?? [] };
}

function mask(bytes: Bytes, places: readonly TextPlace[]): Bytes {
  const masked = bytes.slice();
  for (const [start, , first, last] of places) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start + first, start + last));
    const signs = Array.from(text, (letter) => SIGNS[new TextEncoder().encode(letter).length] ?? '').join('');
    masked.set(new TextEncoder().encode(signs), start + first);
  }
  return masked;
}
