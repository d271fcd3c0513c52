// PGlite has no autovacuum: what is updated and deleted would take room for ever, and the planner would guess. This looks
// now and then, by Postgres' own rule, and takes one table at a time, so that nobody waits long.
import type { Engine } from './engine.ts';

export type VacuumOptions = {
  readonly everyMs: number;
  readonly log: (line: string) => void;
};

const EVERY_MS = 60_000;

/** autovacuum_vacuum_threshold and _scale_factor, autovacuum_analyze_threshold and _scale_factor; ours are busier. */
const DUE = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
     or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
     or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  order by s.n_dead_tup desc`;

/** Until the answer is called; that waits for a table under way. */
export function keepVacuumed(
  pg: Engine,
  { everyMs = EVERY_MS, log }: Partial<VacuumOptions> & Pick<VacuumOptions, 'log'>,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const sweep = async () => {
    try {
      const { rows } = await pg.query<{ name: string }>(DUE);
      for (const { name } of rows) {
        if (stopped || pg.closed) return;
        await pg.exec(`vacuum (analyze) ${name}`);
      }
    } catch (error) {
      if (!stopped) log(`the database was not vacuumed: ${String(error)}`);
    }
  };
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, everyMs);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    return running;
  };
}
