// `npm run backup` for a Weft with its own PostgreSQL: the database is that of DATABASE_URL and no other.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../../backend/http/server.ts';
import { ROOT } from '../../../scripts/root.mjs';
import { copyDatabase, dropDatabase } from '../../support/database/databases.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const run = promisify(execFile);

let dir: string;
let data: string;
let databaseUrl: string;
beforeAll(async () => {
  dir = await temporaryFolder('backup');
  data = join(dir, 'data');
  databaseUrl = await copyDatabase('backend');
  const weft = await startServer({ port: 0, host: '127.0.0.1', dir: data, databaseUrl });
  await weft.database.pg.exec(`insert into storage.buckets (id, name, public) values ('kept', 'kept', false)`);
  await weft.close();
});
afterAll(async () => {
  await dropDatabase(databaseUrl);
  await rm(dir, { recursive: true, force: true });
});

/** Runs the command and answers its standard output, or its standard error if it fails. */
async function command(environment: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: '', ...environment };
  try {
    return (await run(process.execPath, [join(ROOT, 'backend/backup-cli.ts'), ...args, '--data', data], { env }))
      .stdout;
  } catch (error) {
    return String(Reflect.get(Object(error), 'stderr'));
  }
}

test('a backup with DATABASE_URL has the data of that database', async () => {
  const file = join(dir, 'weft.tar');
  expect(await command({ DATABASE_URL: databaseUrl }, 'backup', file)).toBe(`${file} holds everything in ${data}.\n`);
  const { stdout } = await run('tar', ['xOf', file, 'data.sql']);
  expect(stdout).toContain(`'kept'`);
});

test('without DATABASE_URL the command does not back up an empty database instead', async () => {
  expect(await command({}, 'backup', join(dir, 'other.tar'))).toBe(
    `There is no database in ${data}. If Weft uses your own PostgreSQL, set DATABASE_URL.\n`,
  );
});

test('a restore into the PostgreSQL of DATABASE_URL is refused before anything is written', async () => {
  const refused = await command({ DATABASE_URL: databaseUrl }, 'restore', join(dir, 'weft.tar'));
  expect(refused).toBe('A backup is restored into a directory, not into the PostgreSQL of DATABASE_URL: unset it.\n');
});
