// Started as root, PostgreSQL runs as another user. Where that user cannot go, its database lives elsewhere, and no folder
// is opened for it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { isAlive } from '../../../backend/postgres/server-left-behind.ts';
import { DataFixture } from './data-fixture.ts';

const fixture = new DataFixture();

test('a database lies in its data directory if its user may go there', async () => {
  const { process: weft } = await fixture.start();
  expect(weft.stderr).toBe('');
  expect(await readdir(fixture.data)).toEqual(expect.arrayContaining(['keys.json', 'postgres', 'postgres.log']));
});

/** Empty for others: a skipped test would count as one that failed. */
const ROOT_ONLY = process.getuid?.() === 0 ? ['as root'] : [];

describe.each(ROOT_ONLY)('%s', () => {
  let elsewhere = '';
  afterEach(async () => {
    if (elsewhere !== '')
      await rm(dirname(elsewhere), { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    elsewhere = '';
  });

  /** A data directory in a folder that only root may enter, such as its home. */
  async function startInHome(): Promise<string> {
    const home = join(fixture.folder, 'home');
    await mkdir(home, { mode: 0o700 });
    const data = join(home, 'data');
    const { process: weft, client } = await fixture.start(data);
    elsewhere = (await readFile(join(data, 'postgres-path'), 'utf8')).trim();
    expect(weft.stderr).toMatch(
      new RegExp(`^PostgreSQL runs as \\w+, which may not enter ${data}: its database is in ${elsewhere}\\.\\n$`),
    );
    await client.storage.createBucket('mine', { public: false });
    expect(await weft.end('SIGTERM')).toBe(0);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    return data;
  }

  const buckets = async (data: string): Promise<readonly string[]> => {
    const { client, process: weft } = await fixture.start(data);
    const { data: found } = await client.storage.listBuckets();
    expect(await weft.end('SIGTERM')).toBe(0);
    expect(weft.stderr).toBe('');
    return (found ?? []).map(({ name }) => name);
  };

  test('PostgreSQL runs as somebody else', async () => {
    await fixture.useTemplate();
    await fixture.start();
    const pid = await fixture.serverPid();
    expect(isAlive(pid)).toBe(true);
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
  });

  test('a database elsewhere is named once and found again, also after its data directory was moved', async () => {
    const data = await startInHome();
    expect(await buckets(data)).toContain('mine');
    const moved = join(fixture.folder, 'moved');
    await mkdir(moved, { mode: 0o700 });
    await rename(data, join(moved, 'data'));
    expect(await buckets(join(moved, 'data'))).toContain('mine');
  });

  test('a database elsewhere is in the backup', async () => {
    const data = await startInHome();
    const backup = join(fixture.folder, 'weft.tar');
    execFileSync(process.execPath, [join(ROOT, 'backend/backup-cli.ts'), 'backup', backup, '--data', data]);
    const { stdout } = spawnSync('tar', ['-xOf', backup, 'data.sql'], { encoding: 'utf8' });
    expect(stdout).toContain("'mine'");
  });

  test('a copy of the data directory does not get the database of its original', async () => {
    const data = await startInHome();
    const copy = join(dirname(data), 'copy');
    await cp(data, copy, { recursive: true });
    expect(await fixture.refusal(copy)).toBe(
      `The database in ${elsewhere} belongs to ${data}, of which ${copy} is a copy; use npm run backup to copy data.\n`,
    );
  });

  test('a folder for one group is not given to another', async () => {
    await mkdir(fixture.data);
    await chmod(fixture.data, 0o750);
    const { process: weft } = await fixture.start();
    elsewhere = (await readFile(join(fixture.data, 'postgres-path'), 'utf8')).trim();
    expect(await weft.end('SIGTERM')).toBe(0);
    expect((await stat(fixture.data)).mode & 0o777).toBe(0o750);
  });
});
