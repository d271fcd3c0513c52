// PGlite of this very thread as an engine: while a statement runs, nothing else does.
import type { PGlite } from '@electric-sql/pglite';
import { type Engine, type QueryResult, type Settings, settingsQuery } from '../engine.ts';

export function pgliteEngine(pg: PGlite): Engine {
  return {
    query: (sql, params) => pg.query(sql, params),
    exec: (sql) => pg.exec(sql),
    transaction: (run) => pg.transaction(run),
    queryAs: <R>(settings: Settings, sql: string, params?: unknown[]): Promise<QueryResult<R>> =>
      pg.transaction(async (tx) => {
        const set = settingsQuery(settings);
        await tx.query(set.sql, set.params);
        return tx.query<R>(sql, params);
      }),
    listen: async (channel, onNotify) => {
      const unlisten = await pg.listen(channel, onNotify);
      return () => unlisten();
    },
    onGap: () => () => {},
    get closed() {
      return pg.closed;
    },
    close: () => pg.close(),
  };
}
