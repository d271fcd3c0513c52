// `npm run restore -- FILE --files-to URL`, to a project that has the rows.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { type BackupEntry, writeEntries } from '../../support/server/backup-file.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let dir: string;
let project: TestBackend;
beforeAll(async () => {
  dir = await temporaryFolder('upload');
  project = await startTestBackend();
  await project.pg.exec(`insert into storage.buckets (id, name, public) values ('files', 'files', false)`);
});
afterAll(async () => {
  await project.close();
  await rm(dir, { recursive: true, force: true });
});

/** A backup with one file, under any name. */
function backupOf(bucket: string, name: string, mimetype: string, content: string): Promise<string> {
  const version = crypto.randomUUID();
  const entries: readonly BackupEntry[] = [
    { name: 'files.json', content: JSON.stringify([{ bucket, name, version, mimetype, cacheControl: null }]) },
    { name: `files/${version}`, content },
  ];
  return writeEntries(join(dir, 'files.tar'), entries);
}

const upload = (file: string): Promise<string> =>
  promisify(execFile)(
    process.execPath,
    [join(ROOT, 'backend/backup-cli.ts'), 'restore', file, '--files-to', project.url],
    { env: { ...process.env, SUPABASE_SERVICE_ROLE_KEY: project.server.serviceRoleKey } },
  ).then(
    ({ stdout }) => `0: ${stdout.trim()}`,
    (error: { readonly code?: number; readonly stderr?: string }) => `${error.code}: ${error.stderr?.trim()}`,
  );

test('uploads each file under its name', async () => {
  expect(await upload(await backupOf('files', 'a b/c&d.txt', 'text/plain', 'text'))).toBe(
    `0: Uploaded 1 files to ${project.url}.`,
  );
  const { data } = await project.serviceClient().storage.from('files').download('a b/c&d.txt');
  expect(await data?.text()).toBe('text');
});

test.each([
  ['..', '../auth/v1/admin/users'],
  ['files', '../../../../auth/v1/admin/users'],
  ['.', '../../../auth/v1/admin/users'],
])('a name that leads out of Storage sends nothing: %s/%s', async (bucket, name) => {
  const user = JSON.stringify({ email: 'mallory@example.com', password: 'correct horse battery', email_confirm: true });
  expect(await upload(await backupOf(bucket, name, 'application/json', user))).toBe(
    `1: ${bucket}/${name} is no name of a file: nothing was sent for it.`,
  );
  expect((await project.pg.query('select from auth.users')).rows).toEqual([]);
});
