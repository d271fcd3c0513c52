// Which bytes of which rows hold letters that are to be erased, as the database wants to know it.
import type { Bytes } from '../../lib/bytes.ts';
import { type Row, encodeRows } from '../../protocol/row.ts';
import { type LetterRanges, type TextPlace, textPlaces } from '../updates/text-places.ts';

export type ErasedRow = {
  readonly seq: number;
  readonly sha256: string;
  readonly update: readonly TextPlace[];
  readonly dependencies: readonly TextPlace[];
};

/** A list of dependencies begins with their count; before each part's bytes stand session, client, numbers and size. */
const COUNT_BYTES = 2;
const PART_BYTES = 36;

/** Rows that every reader skips are searched too, as far as they can be decoded: whoever asks for rows gets them. */
export async function erasedRows(
  rows: readonly Row[],
  letters: LetterRanges,
  sha256: (bytes: Bytes) => Promise<string>,
): Promise<readonly ErasedRow[]> {
  const erased: ErasedRow[] = [];
  for (const row of rows) {
    const update = textPlaces(row.update, letters) ?? [];
    let start = COUNT_BYTES;
    const dependencies: TextPlace[] = [];
    for (const part of row.dependencies) {
      start += PART_BYTES;
      for (const [at, ...place] of textPlaces(part.update, letters) ?? []) dependencies.push([start + at, ...place]);
      start += part.update.length;
    }
    if (update.length === 0 && dependencies.length === 0) continue;
    const message = encodeRows({ kind: 'rows', head: row.seq, rows: [row] }, 3);
    erased.push({ seq: row.seq, sha256: await sha256(message), update, dependencies });
  }
  return erased;
}
