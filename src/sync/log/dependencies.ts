// What an append has to bring along: edits of others that its own build on and that are not in the log yet (D3).
import { MAX_DEPENDENCIES_BYTES, MAX_DEPENDENCIES } from '../../protocol/limits.ts';
import type { Part } from '../../protocol/row.ts';
import { type ClockOf, type Clocks, type Decoded, endsOf, missing } from '../updates/missing.ts';

/** Edits that are shown without being rows: a frame, an outbox of this device. */
export type Source = { readonly part: Part; readonly decoded: Decoded };

export type Carried = {
  readonly sources: readonly Source[];
  /** What none of the sources has. Empty: with them, the updates are a row that everybody can apply (I11). */
  readonly lacking: Clocks;
};

/** What the database takes with one append. */
export function fitsInRow(parts: readonly Part[]): boolean {
  const bytes = parts.reduce((sum, { update }) => sum + update.length, 0);
  return parts.length <= MAX_DEPENDENCIES && bytes <= MAX_DEPENDENCIES_BYTES;
}

/**
 * The sources that `updates` need, and those that these need in turn, beyond what `have` reaches. Two writers in one
 * word depend on each other range by range: no order of rows is complete, only all of them together in one row.
 */
export function closure(updates: readonly Decoded[], sources: readonly Source[], have: ClockOf): Carried {
  const picked: Source[] = [];
  const left = new Set(sources);
  for (;;) {
    const lacking = missing([...updates, ...picked.map(({ decoded }) => decoded)], have);
    const before = picked.length;
    for (const source of lacking.size === 0 ? [] : left) {
      if (!provides(source, lacking, have)) continue;
      picked.push(source);
      left.delete(source);
    }
    if (picked.length === before) return { sources: picked, lacking };
  }
}

/** Has structs of a client that is lacking, beyond those that are there. */
function provides({ decoded }: Source, lacking: Clocks, have: ClockOf): boolean {
  for (const [client, end] of endsOf(decoded)) {
    if (lacking.has(client) && end > have(client)) return true;
  }
  return false;
}
