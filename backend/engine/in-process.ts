// PGlite of this very thread as an engine, for tests that bring their own: while a statement runs, nothing else does, and
// statements have no time limit.
import type { PGlite, Transaction as PgliteTransaction } from '@electric-sql/pglite';
import { type Engine, type QueryResult, type Settings, type Transaction, settingsQuery } from '../engine.ts';

export function pgliteEngine(pg: PGlite): Engine {
  return {
    query: (sql, params) => pg.query(sql, params),
    exec: (sql) => pg.exec(sql),
    transaction: (run) => pg.transaction((tx) => run(withSettings(tx))),
    queryAs: <R>(settings: Settings, sql: string, params?: unknown[]): Promise<QueryResult<R>> =>
      pg.transaction(async (tx) => {
        await withSettings(tx).set(settings);
        return tx.query<R>(sql, params);
      }),
    listen: async (channel, onNotify) => {
      const unlisten = await pg.listen(channel, onNotify);
      return () => unlisten();
    },
    onGap: () => () => {},
    learnTypes: () => pg.refreshArrayTypes(),
    get closed() {
      return pg.closed;
    },
    close: () => pg.close(),
  };
}

const withSettings = (tx: PgliteTransaction): Transaction => ({
  query: (sql, params) => tx.query(sql, params),
  exec: (sql) => tx.exec(sql),
  set: async (settings) => {
    const { sql, params } = settingsQuery(settings);
    await tx.query(sql, params);
  },
  rollback: () => tx.rollback(),
});
