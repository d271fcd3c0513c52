// Files that a restore refuses, and why.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openArchive } from '../../../backend/backup/read-archive.ts';
import { MIGRATIONS_DIR } from '../../../backend/database.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let dir: string;
beforeAll(async () => {
  dir = await temporaryFolder('archive');
  await mkdir(join(dir, 'folder'));
  await symlink(join(dir, 'loop'), join(dir, 'loop'));
  await writeFile(join(dir, 'text'), 'no tar');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

// Tests may run as root, who can read every file.
test.each([
  ['missing', 'There is no file FILE.'],
  ['folder', 'FILE cannot be read: EISDIR.'],
  ['loop', 'FILE cannot be read: ELOOP.'],
  ['text', 'FILE is no backup of Weft.'],
])('%s', async (name, sentence) => {
  const file = join(dir, name);
  await expect(openArchive(file, MIGRATIONS_DIR)).rejects.toThrow(sentence.replace('FILE', file));
});
