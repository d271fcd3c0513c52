// One database and one world per test file; each trial starts from them and leaves nothing behind.
import { afterAll, beforeAll } from 'vitest';
import { type Sql, SqlDatabase } from '../support/database/sql.ts';
import { type World, buildWorld } from './world.ts';

export function useWorld(): (run: (sql: Sql, world: World) => Promise<void>) => () => Promise<void> {
  let database: SqlDatabase;
  let world: World;
  beforeAll(async () => {
    database = await SqlDatabase.open();
    world = await database.setUp(buildWorld);
  });
  afterAll(() => database.close());
  return (run) => () => database.trial((sql) => run(sql, world));
}
