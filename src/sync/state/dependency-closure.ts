// Finds which pending updates some updates build on, directly or through each other (D3). Knows neither outboxes nor the log.
import { MAX_DEPENDENCIES_BYTES, MAX_DEPENDENCIES } from '../protocol/limits.ts';
import type { Part } from '../protocol/row.ts';
import { type ClockOf, type Clocks, type DecodedUpdate, clockEnds } from '../updates/decoded-update.ts';
import { missingClocks } from '../updates/missing-clocks.ts';

/** Edits that are not rows yet: of a live update, or of an outbox on this device. */
export type DecodedPart = { readonly part: Part; readonly decoded: DecodedUpdate };

export type DependencyClosure = {
  readonly sources: readonly DecodedPart[];
  /** Clocks that none of the sources has. If it is empty, updates and `sources` make a row that everyone can apply (I11). */
  readonly lacking: Clocks;
};

/** Whether the database accepts these dependencies with one append. */
export function fitsInRow(parts: readonly Part[]): boolean {
  const bytes = parts.reduce((sum, { update }) => sum + update.length, 0);
  return parts.length <= MAX_DEPENDENCIES && bytes <= MAX_DEPENDENCIES_BYTES;
}

/**
 * Finds the sources that `updates` need, and those that these need in turn, beyond what `have` reaches. Two writers in
 * one word depend on each other range by range: no order of rows is complete, only one row with both.
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

/** Whether the source has something of a client in `lacking`, beyond what `have` reaches. */
function provides({ decoded }: DecodedPart, lacking: Clocks, have: ClockOf): boolean {
  for (const [client, end] of clockEnds(decoded)) {
    if (lacking.has(client) && end > have(client)) return true;
  }
  return false;
}
