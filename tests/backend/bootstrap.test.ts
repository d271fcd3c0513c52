// What a hosted project has is made once for each version of it, not at every start.
import { afterEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../backend/database.ts';
import { copyDatabase, dropDatabase } from '../support/database/databases.ts';

const open: Database[] = [];
const urls: string[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  for (const url of urls.splice(0)) await dropDatabase(url);
});

/** A start on what the last one left, after something was done to it. */
async function startAfter(sql: string): Promise<Database> {
  const databaseUrl = await copyDatabase('backend');
  urls.push(databaseUrl);
  const before = await openDatabase({ dir: null, databaseUrl });
  await before.pg.exec(sql);
  await before.close();
  const after = await openDatabase({ dir: null, databaseUrl });
  open.push(after);
  return after;
}

const LOSE = 'drop function auth.email()';
const isThere = async ({ pg }: Database) =>
  (await pg.query<{ there: boolean }>(`select to_regprocedure('auth.email()') is not null as there`)).rows[0]?.there;

test('a start on a database of the same version makes nothing anew', async () => {
  expect(await isThere(await startAfter(LOSE))).toBe(false);
});

test.each([
  ['another version made it', `update weft_backend.bootstrap set fingerprint = 'another'`],
  ['it was made before this was written down', 'drop schema weft_backend cascade'],
])('a start makes it again when %s', async (_, sql) => {
  expect(await isThere(await startAfter(`${LOSE}; ${sql}`))).toBe(true);
});

test('nobody but the backend itself sees which version it is', async () => {
  const { pg } = await startAfter('select');
  await expect(pg.queryAs({ role: 'service_role' }, 'select * from weft_backend.bootstrap')).rejects.toMatchObject({
    code: '42501',
  });
});
