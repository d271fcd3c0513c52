// How much of this device documents may take, and which go when it is more. Pure decision first, then who acts on it.
import type { CachedDocument, CachedDocuments } from '../ports.ts';

/** For one person of one project. */
export const DEFAULT_DEVICE_BYTES = 200_000_000;

/** The least recently opened first, as many as it takes; never one with unsent edits. */
export function documentsToEvict(kept: readonly CachedDocument[], capBytes: number): readonly CachedDocument[] {
  let over = kept.reduce((sum, { bytes }) => sum + bytes, 0) - capBytes;
  const chosen: CachedDocument[] = [];
  for (const one of kept.filter(({ isUnsent }) => !isUnsent).sort((a, b) => a.openedAt - b.openedAt)) {
    if (over <= 0) break;
    chosen.push(one);
    over -= one.bytes;
  }
  return chosen;
}

/** Forgets until what is kept fits, as far as it can: what some tab has open stays, and the next oldest goes instead. */
export async function evictUntilItFits(
  device: Pick<CachedDocuments, 'list' | 'forgetIfClosed'>,
  capBytes: number,
): Promise<void> {
  let kept = await device.list();
  for (let chosen = documentsToEvict(kept, capBytes); chosen.length > 0; chosen = documentsToEvict(kept, capBytes)) {
    for (const { document } of chosen) {
      const isGone = await device.forgetIfClosed(document);
      // What could not be forgotten still takes its room, and is not asked for again.
      kept = kept.flatMap((one) => (one.document !== document ? [one] : isGone ? [] : [{ ...one, isUnsent: true }]));
    }
  }
}
