// Asks the server, once a day from each device, to delete the files that no page uses any more.
import type { Cancel } from '../../lib/cancel.ts';
import type { ListCache } from '../../ports/device.ts';
import type { FileStorage } from '../../ports/files.ts';
import type { Timing } from '../offline/cached-list.ts';

/** The purge is not urgent: what the person came for goes first. */
const PURGES_AFTER_MS = 60_000;
const CHECKS_EVERY_MS = 60 * 60 * 1_000;
const PURGES_EVERY_MS = 24 * 60 * 60 * 1_000;
const PURGED_AT = 'purged-at';

export function purgeFilesLater(options: {
  readonly storage: Pick<FileStorage, 'purge'>;
  readonly listCache: ListCache;
  readonly timing: Pick<Timing, 'now' | 'after'>;
}): Cancel {
  const { storage, listCache, timing } = options;
  const purge = async () => {
    const at = await listCache.load(PURGED_AT);
    if (typeof at === 'number' && timing.now() - at < PURGES_EVERY_MS) return;
    const purged = await storage.purge();
    if (purged.ok) await listCache.save(PURGED_AT, timing.now());
  };
  const check = () => {
    void purge();
    stop = timing.after(CHECKS_EVERY_MS, check);
  };
  let stop = timing.after(PURGES_AFTER_MS, check);
  return () => stop();
}
