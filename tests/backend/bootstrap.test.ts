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

test('a start removes what earlier versions had for changes of tables, with their triggers', async () => {
  const { pg } = await startAfter(`
    create publication supabase_realtime for table public.documents;
    create table realtime.subscription (id bigint);
    create table realtime.change (id bigint);
    create function realtime.messages_of(c realtime.change) returns bigint language sql as 'select 1';
    create function realtime.capture_change() returns trigger language plpgsql as 'begin return null; end';
    create trigger realtime_capture_change after insert or update or delete on public.documents
      for each row execute function realtime.capture_change();
    update weft_backend.bootstrap set fingerprint = 'another';
  `);
  const { rows } = await pg.query(`
    select relname as left_behind from pg_class where relnamespace = 'realtime'::regnamespace and relkind = 'r'
    union all select proname from pg_proc where proname in ('capture_change', 'messages_of')
    union all select tgname from pg_trigger where tgname like 'realtime%'
    union all select pubname from pg_publication
  `);
  expect(rows).toEqual([{ left_behind: 'messages' }]);
});

test('a start leaves the tables of another Realtime server alone', async () => {
  const { pg } = await startAfter(`
    create table realtime.subscription (id bigint);
    update weft_backend.bootstrap set fingerprint = 'another';
  `);
  expect((await pg.query(`select to_regclass('realtime.subscription') is not null as there`)).rows).toEqual([
    { there: true },
  ]);
});

test('only the backend itself can read the fingerprint', async () => {
  const { pg } = await startAfter('select');
  await expect(pg.queryAs({ role: 'service_role' }, 'select * from weft_backend.bootstrap')).rejects.toMatchObject({
    code: '42501',
  });
});
