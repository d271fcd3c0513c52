// supabase/schemas is the final state; supabase/migrations leads there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseUrl } from '../support/database/database-names.ts';
import { copyDatabase, dropDatabase, serverUrl } from '../support/database/databases.ts';
import { describeSchema } from '../support/database/describe-schema.ts';
import { makeProjectOfSchemas } from '../support/database/hosted-project.ts';
import { PgConnection } from '../support/database/pg-connection.ts';

let urls: readonly string[];
let [bySchemas, byMigrations]: PgConnection[] = [];
beforeAll(async () => {
  const server = await serverUrl();
  urls = [databaseUrl(server, await makeProjectOfSchemas(server)), await copyDatabase('hosted')];
  [bySchemas, byMigrations] = await Promise.all(urls.map((url) => PgConnection.open(url)));
});
afterAll(async () => {
  await Promise.all([bySchemas?.close(), byMigrations?.close()]);
  await Promise.all(urls.map(dropDatabase));
});

const linesOf = (connection: PgConnection | undefined) =>
  describeSchema(async (sql) => (await connection?.query(sql)) ?? []);

test('the schema and the migrations make the same database', async () => {
  const lines = await linesOf(bySchemas);
  expect(lines.filter((line) => line.startsWith('function ')).length).toBeGreaterThan(300);
  expect(lines.filter((line) => line.startsWith('column ')).length).toBeGreaterThan(200);
  expect(await linesOf(byMigrations)).toEqual(lines);
});

test('every body of a function is valid: bodies are not checked as the migrations create them', async () => {
  const functions = await bySchemas?.query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc as p
     where p.pronamespace in ('public'::regnamespace, 'weft'::regnamespace)`,
  );
  const broken: string[] = [];
  await bySchemas?.query('set check_function_bodies = on');
  for (const { definition } of functions ?? []) {
    await bySchemas?.query(definition).catch((error: unknown) => broken.push(`${String(error)}\n${definition}`));
  }
  expect(broken).toEqual([]);
});
