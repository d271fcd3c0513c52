// What a hosted project has is made once for each version of it, not at every start.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../backend/database.ts';
import { databaseImage } from '../support/database/database-image.ts';

const open: Database[] = [];
let made: Blob;
beforeAll(async () => {
  made = await databaseImage();
}, 60_000);
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

/** A start on what the last one left, after something was done to it. */
async function startAfter(sql: string): Promise<Database> {
  const before = await openDatabase({ dir: null, image: made });
  open.push(before);
  await before.pg.exec(sql);
  const after = await openDatabase({ dir: null, image: await before.image() });
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
