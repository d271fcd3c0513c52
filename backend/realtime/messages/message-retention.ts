// Deletes old rows of realtime.messages. Supabase Realtime drops the partition of a day instead.
import type { Engine } from '../../engine.ts';
import type { RealtimeOptions } from '../limits/options.ts';

/** Deletes at once and then regularly. The returned function stops that and waits for a running deletion. */
export function startMessageRetention(pg: Engine, options: RealtimeOptions): () => Promise<void> {
  let sweeping = sweep(pg, options);
  const timer = setInterval(() => {
    sweeping = sweep(pg, options);
  }, options.retentionSweepMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return sweeping;
  };
}

async function sweep(pg: Engine, options: RealtimeOptions): Promise<void> {
  try {
    await pg.query(`delete from realtime.messages where inserted_at < localtimestamp - make_interval(hours => $1)`, [
      options.retentionHours,
    ]);
  } catch (error) {
    options.log(`old messages were not deleted: ${String(error)}`);
  }
}
