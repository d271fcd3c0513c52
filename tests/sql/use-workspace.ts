// One database with the workspace fixture per test file. Each test starts from it and is rolled back.
import { afterAll, beforeAll } from 'vitest';
import { type Sql, SqlDatabase } from '../support/database/sql.ts';
import { type WorkspaceFixture, buildWorkspace } from './workspace-fixture.ts';

export function useWorkspace(): (run: (sql: Sql, fixture: WorkspaceFixture) => Promise<void>) => () => Promise<void> {
  let database: SqlDatabase;
  let fixture: WorkspaceFixture;
  beforeAll(async () => {
    database = await SqlDatabase.open();
    fixture = await database.setUp(buildWorkspace);
  });
  afterAll(() => database.close());
  return (run) => () => database.rolledBack((sql) => run(sql, fixture));
}
