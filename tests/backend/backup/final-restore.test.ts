// The settings that a backup keeps: the identity of the database, and since when a restore is final (HI5 in src/sync/SPEC.md).
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { backupCommand, readEntries } from '../../support/server/backup-file.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let dir: string;
let file: string;
beforeAll(async () => {
  dir = await temporaryFolder('final');
  file = join(dir, 'weft.tar');
  const backend = await startTestBackend({ dir: join(dir, 'data') });
  await backend.close();
  const said = await backupCommand('backup', file, '--data', join(dir, 'data'));
  if (!said.startsWith('0: ')) throw new Error(said);
}, 90_000);
afterAll(() => rm(dir, { recursive: true, force: true }));

type Settings = { readonly at: string | null; readonly id: string };

async function settingsOf(place: string): Promise<Settings> {
  const backend = await TestBackend.start({ dir: place });
  try {
    const { rows } = await backend.pg.query<Settings>(
      'select final_restore_at::text as at, database_id::text as id from weft.settings',
    );
    const [settings] = rows;
    if (settings === undefined || rows.length > 1) throw new Error('the settings are one row');
    return settings;
  } finally {
    await backend.close();
  }
}

const settingsIn = async (backup: string): Promise<string> => {
  const data = (await readEntries(backup)).find(({ name }) => name === 'data.sql');
  return (
    data?.content
      .toString()
      .split('\n')
      .filter((line) => line.includes('"weft"."settings"'))
      .join('\n') ?? ''
  );
};

test('what is restored is the same database, and not final by itself', async () => {
  const place = join(dir, 'plain');
  expect(await backupCommand('restore', file, '--data', place)).toMatch(/^0: /);
  const { id } = await settingsOf(join(dir, 'data'));
  expect(await settingsOf(place)).toEqual({ at: null, id });
}, 90_000);

test('--final is written down, and a backup of that Weft takes it along', async () => {
  const [place, again, next] = [join(dir, 'first'), join(dir, 'again.tar'), join(dir, 'second')];
  const before = Date.now();
  expect(await backupCommand('restore', file, '--data', place, '--final')).toMatch(/^0: /);
  const { at } = await settingsOf(place);
  const atMs = Date.parse(at ?? '');
  expect(atMs).toBeGreaterThanOrEqual(before - 1_000);
  expect(atMs).toBeLessThanOrEqual(Date.now() + 1_000);

  expect(await backupCommand('backup', again, '--data', place)).toMatch(/^0: /);
  // The limits of the plan are those of each project.
  expect(await settingsIn(again)).not.toContain('messages_per_second');
  expect(await backupCommand('restore', again, '--data', next)).toMatch(/^0: /);
  expect((await settingsOf(next)).at).toBe(at);
}, 120_000);

test('--final belongs to a restore into a directory', async () => {
  expect(await backupCommand('backup', join(dir, 'no.tar'), '--data', join(dir, 'data'), '--final')).toMatch(
    /^1: Usage/,
  );
  expect(await backupCommand('restore', file, '--files-to', 'https://example.com', '--final')).toMatch(/^1: Usage/);
});
