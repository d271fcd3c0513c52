// Makes a database like a new hosted project, and applies Weft's migrations as `supabase db push` does: by an owner who is no
// superuser. Roles belong to the whole server, so they are created once and stay.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { parse } from 'pgsql-parser';
import * as v from 'valibot';
import { ROOT } from '../../../scripts/root.mjs';
import { connected, databaseUrl, newName } from './database-names.ts';

const MIGRATIONS_DIR = join(ROOT, 'supabase/migrations');
const SCHEMAS_DIR = join(ROOT, 'supabase/schemas');

/** The role `postgres` of a hosted project. It has another name here, because a test server may have a superuser `postgres`. */
export const PROJECT_OWNER = 'hosted_postgres';

/** A new project with Weft's migrations, or some of them. Resolves with the name of the database. */
export const makeHostedProject = (serverUrl: string, isWanted?: (file: string) => boolean): Promise<string> =>
  makeProject(serverUrl, MIGRATIONS_DIR, isWanted);

/** The same, made by `supabase/schemas`. */
export const makeProjectOfSchemas = (serverUrl: string): Promise<string> => makeProject(serverUrl, SCHEMAS_DIR);

async function makeProject(serverUrl: string, dir: string, isWanted = (_file: string) => true): Promise<string> {
  const name = await makeEmptyProject(serverUrl);
  await connected(databaseUrl(serverUrl, name), async (client) => {
    for (const file of (await readdir(dir)).filter(isWanted).toSorted()) {
      await runAsOwner(client, file, await readFile(join(dir, file), 'utf8'));
    }
  });
  return name;
}

/** A new project, without a migration. Resolves with the name of the database. */
export async function makeEmptyProject(serverUrl: string): Promise<string> {
  const name = newName();
  await connected(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [PROJECT_OWNER]);
    if (rowCount === 0) await client.query(`create role ${PROJECT_OWNER} nologin createrole createdb bypassrls`);
    await client.query(`create database ${name} owner ${PROJECT_OWNER}`);
  });
  await connected(databaseUrl(serverUrl, name), async (client) => {
    const run = async (file: string) => client.query(await readFile(join(ROOT, file), 'utf8'));
    await run('backend/bootstrap/roles.sql');
    await run('backend/realtime/bootstrap.sql');
    await run('tests/support/database/hosted-project.sql');
    await run('backend/bootstrap/auth.sql');
    await run('backend/bootstrap/storage.sql');
  });
  return name;
}

async function runAsOwner(client: pg.Client, file: string, sql: string): Promise<void> {
  await client.query('begin');
  for (const statement of await statementsOf(sql)) {
    try {
      // On a hosted project, the extension supautils lets the project's owner create policies on these tables.
      await client.query(isPolicyOfService(statement) ? 'reset role' : `set local role ${PROJECT_OWNER}`);
      await client.query(statement);
    } catch (cause) {
      throw new Error(`${file}: ${String(cause)}\n${statement.slice(0, 400)}`, { cause });
    }
  }
  await client.query('commit');
}

const isPolicyOfService = (statement: string): boolean =>
  /^(?:create|drop)\s+policy\s[^;]*?\son\s+(?:realtime\.messages|storage\.objects)\b/i.test(statement);

const parsedForm = v.object({
  stmts: v.array(v.object({ stmt_location: v.optional(v.number(), 0), stmt_len: v.optional(v.number()) })),
});

async function statementsOf(sql: string): Promise<string[]> {
  // The parser counts bytes, and a statement begins with the comments above it.
  const bytes = Buffer.from(sql);
  const { stmts } = v.parse(parsedForm, await parse(sql));
  return stmts.map(({ stmt_location: from, stmt_len: length }) => {
    const statement = bytes.subarray(from, length === undefined ? undefined : from + length).toString();
    return statement.replace(/^(?:\s+|--.*)+/, '');
  });
}
