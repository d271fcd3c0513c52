// What an append has to bring along: edits of others that its own build on and that are not in the log yet (D3).
import { MAX_DEPENDENCIES_BYTES, MAX_DEPENDENCIES } from '../../protocol/limits.ts';
import type { Part } from '../../protocol/row.ts';
import { type ClockOf, type Clocks, type DecodedUpdate, clockEnds, missingClocks } from '../updates/missing.ts';

/** Edits that are shown without being rows: a live update, an outbox of this device. */
export type DecodedPart = { readonly part: Part; readonly decoded: DecodedUpdate };

export type DependencyClosure = {
  readonly sources: readonly DecodedPart[];
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
export function dependencyClosure(
  updates: readonly DecodedUpdate[],
  sources: readonly DecodedPart[],
  have: ClockOf,
): DependencyClosure {
  const picked: DecodedPart[] = [];
  const left = new Set(sources);
  for (;;) {
    const lacking = missingClocks([...updates, ...picked.map(({ decoded }) => decoded)], have);
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
function provides({ decoded }: DecodedPart, lacking: Clocks, have: ClockOf): boolean {
  for (const [client, end] of clockEnds(decoded)) {
    if (lacking.has(client) && end > have(client)) return true;
  }
  return false;
}
