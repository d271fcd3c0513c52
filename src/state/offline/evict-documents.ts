// Limits the space that documents take on this device, and chooses which ones to delete if they take more. First the
// pure decision, then the code that acts on it.
import type { CachedDocument, CachedDocuments } from '../../ports/device.ts';

/** Limit for one person of one project. */
export const DEFAULT_DEVICE_BYTES = 200_000_000;

/** Picks the least recently opened documents, as many as needed. Never one with unsent edits. */
export function documentsToEvict(cached: readonly CachedDocument[], capBytes: number): readonly CachedDocument[] {
  let over = cached.reduce((sum, { bytes }) => sum + bytes, 0) - capBytes;
  const chosen: CachedDocument[] = [];
  for (const candidate of cached.filter(({ isUnsent }) => !isUnsent).sort((a, b) => a.openedAt - b.openedAt)) {
    if (over <= 0) break;
    chosen.push(candidate);
    over -= candidate.bytes;
  }
  return chosen;
}

/**
 * Deletes documents until the rest fits, as far as possible. A document that some tab has open stays, and the next
 * oldest goes instead.
 */
export async function evictUntilItFits(
  device: Pick<CachedDocuments, 'list' | 'forgetIfClosed'>,
  capBytes: number,
): Promise<void> {
  let cached = await device.list();
  for (
    let chosen = documentsToEvict(cached, capBytes);
    chosen.length > 0;
    chosen = documentsToEvict(cached, capBytes)
  ) {
    for (const { document } of chosen) {
      const isGone = await device.forgetIfClosed(document);
      // A document that could not be deleted still takes its space and is not tried again.
      cached = cached.flatMap((candidate) =>
        candidate.document !== document ? [candidate] : isGone ? [] : [{ ...candidate, isUnsent: true }],
      );
    }
  }
}
