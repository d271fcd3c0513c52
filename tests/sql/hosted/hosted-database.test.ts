// The database that the SQL tests run on: PostgreSQL, with migrations applied as on a hosted project.
import { expect, test } from 'vitest';
import { copyDatabase, dropDatabase, serverUrl } from '../../support/database/databases.ts';
import { PROJECT_OWNER } from '../../support/database/hosted-project.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';

test('the PostgreSQL of the tests is new enough', async () => {
  const connection = await PgConnection.open(await serverUrl());
  const [found] = await connection.query<{ version: string }>('select version()');
  await connection.close();
  expect(found?.version).toMatch(/^PostgreSQL (?:1[5-9]|[2-9]\d)/);
});

test('tables belong to an owner who is not a superuser', async () => {
  const url = await copyDatabase('hosted');
  const connection = await PgConnection.open(url);
  const owners = await connection.query(
    `select distinct pg_get_userbyid(relowner) as owner, rolsuper from pg_class join pg_roles on pg_roles.oid = relowner
     where relnamespace in ('public'::regnamespace, 'weft'::regnamespace)`,
  );
  expect(owners).toEqual([{ owner: PROJECT_OWNER, rolsuper: false }]);
  await connection.close();
  await dropDatabase(url);
});
