// The bytes of rows that hold letters to be erased, in the form that the database expects.
import type { Bytes } from '../../lib/bytes.ts';
import { type Row, encodeRows } from '../../protocol/row.ts';
import { type LetterRanges, type TextPlace, textPlaces } from '../updates/text-places.ts';

export type RowPlaces = {
  readonly seq: number;
  readonly update: readonly TextPlace[];
  readonly dependencies: readonly TextPlace[];
};

export type ErasedRow = RowPlaces & { readonly sha256: string };

/** A list of dependencies begins with their count; before each part's bytes stand session, client, numbers and size. */
const COUNT_BYTES = 2;
const PART_BYTES = 36;

/** Rows that every reader skips are searched too, as far as they can be decoded: anybody who asks for rows gets them. */
export function placesIn(rows: readonly Row[], letters: LetterRanges): readonly RowPlaces[] {
  const found: RowPlaces[] = [];
  for (const row of rows) {
    const update = textPlaces(row.update, letters) ?? [];
    let start = COUNT_BYTES;
    const dependencies: TextPlace[] = [];
    for (const part of row.dependencies) {
      start += PART_BYTES;
      for (const [at, ...place] of textPlaces(part.update, letters) ?? []) dependencies.push([start + at, ...place]);
      start += part.update.length;
    }
    if (update.length > 0 || dependencies.length > 0) found.push({ seq: row.seq, update, dependencies });
  }
  return found;
}

type Hash = (bytes: Bytes) => Promise<string>;

/** The places with the hashes of their rows, by which the database knows that they are still the same. */
export async function withHashes(
  places: readonly RowPlaces[],
  rowOf: (seq: number) => Row | undefined,
  sha256: Hash,
): Promise<readonly ErasedRow[]> {
  const erased: ErasedRow[] = [];
  for (const one of places) {
    const row = rowOf(one.seq);
    if (row === undefined) continue;
    const message = encodeRows({ kind: 'rows', head: row.seq, rows: [row] }, 3);
    erased.push({ ...one, sha256: await sha256(message) });
  }
  return erased;
}
