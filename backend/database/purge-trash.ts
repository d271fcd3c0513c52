// Empties the trash of pages that have been in it for 30 days. A hosted project has pg_cron for that
// (`weft.schedule_purge`); the embedded backend has this timer.
import type { Queries } from '../engine.ts';

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60 * 1_000;

/** No one waits for it, so a failure is tried again an hour later. Returns `stop`, which resolves when no call runs any more. */
export function purgeTrashHourly(
  pg: Pick<Queries, 'query'>,
  times = { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS },
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const purge = () => {
    running = pg.query('select weft.purge_trash()').catch(() => undefined);
  };
  let timer: ReturnType<typeof setInterval> = setTimeout(() => {
    purge();
    timer = setInterval(purge, times.everyMs);
    timer.unref();
  }, times.firstAfterMs);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    clearInterval(timer);
    await running;
  };
}
