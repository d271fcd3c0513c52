// The bootstrap creates what a hosted project has once for each of its versions, not at every start.
import { afterEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../backend/database.ts';
import { copyDatabase, dropDatabase } from '../support/database/databases.ts';

const openDatabases: Database[] = [];
const urls: string[] = [];
afterEach(async () => {
  for (const database of openDatabases.splice(0)) await database.close();
  for (const url of urls.splice(0)) await dropDatabase(url);
});

/** Opens the backend's database again after `sql` changed it. */
async function startAfter(sql: string): Promise<Database> {
  const databaseUrl = await copyDatabase('backend');
  urls.push(databaseUrl);
  const before = await openDatabase({ dir: null, databaseUrl });
  await before.pg.exec(sql);
  await before.close();
  const after = await openDatabase({ dir: null, databaseUrl });
  openDatabases.push(after);
  return after;
}

const DROP = 'drop function auth.email()';
const hasFunction = async ({ pg }: Database) =>
  (await pg.query<{ there: boolean }>(`select to_regprocedure('auth.email()') is not null as there`)).rows[0]?.there;

test('a start on a database of the same version creates nothing again', async () => {
  expect(await hasFunction(await startAfter(DROP))).toBe(false);
});

test.each([
  ['another version created it', `update weft_backend.bootstrap set fingerprint = 'another'`],
  ['it is older than the fingerprint', 'drop schema weft_backend cascade'],
])('a start creates everything again if %s', async (_, sql) => {
  expect(await hasFunction(await startAfter(`${DROP}; ${sql}`))).toBe(true);
});

test('only the backend itself can read the fingerprint', async () => {
  const { pg } = await startAfter('select');
  await expect(pg.queryAs({ role: 'service_role' }, 'select * from weft_backend.bootstrap')).rejects.toMatchObject({
    code: '42501',
  });
});
