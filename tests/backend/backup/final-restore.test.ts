// A restore that is final (HI5 in src/sync/SPEC.md): the database knows since when, and a later backup keeps that.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupCommand, readEntries } from '../../support/server/backup-file.ts';
import { TestBackend, startTestBackend } from '../../support/server/backend.ts';
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

async function finalRestoreAt(place: string): Promise<string | null> {
  const backend = await TestBackend.start({ dir: place });
  try {
    const { rows } = await backend.pg.query<{ at: string | null }>(
      'select final_restore_at::text as at from weft.settings',
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.at ?? null;
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

test('a restore is not final by itself', async () => {
  const place = join(dir, 'plain');
  expect(await backupCommand('restore', file, '--data', place)).toMatch(/^0: /);
  expect(await finalRestoreAt(place)).toBeNull();
  expect(await settingsIn(file)).toBe('');
}, 90_000);

test('--final is written down, and a backup of that Weft takes it along', async () => {
  const [place, again, next] = [join(dir, 'first'), join(dir, 'again.tar'), join(dir, 'second')];
  const before = Date.now();
  expect(await backupCommand('restore', file, '--data', place, '--final')).toMatch(/^0: /);
  const at = await finalRestoreAt(place);
  const atMs = Date.parse(at ?? '');
  expect(atMs).toBeGreaterThanOrEqual(before - 1_000);
  expect(atMs).toBeLessThanOrEqual(Date.now() + 1_000);

  expect(await backupCommand('backup', again, '--data', place)).toMatch(/^0: /);
  // The limits of the plan are those of each project.
  expect(await settingsIn(again)).not.toContain('messages_per_second');
  expect(await backupCommand('restore', again, '--data', next)).toMatch(/^0: /);
  expect(await finalRestoreAt(next)).toBe(at);
}, 120_000);

test('--final belongs to a restore into a directory', async () => {
  expect(await backupCommand('backup', join(dir, 'no.tar'), '--data', join(dir, 'data'), '--final')).toMatch(
    /^1: Usage/,
  );
  expect(await backupCommand('restore', file, '--files-to', 'https://example.com', '--final')).toMatch(/^1: Usage/);
});
