// Started as root, PostgreSQL runs as another user. If that user cannot reach the folder, the database lives elsewhere, and no
// folder is opened for it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../../backend/postgres/server-left-behind.ts';
import { ROOT } from '../../../scripts/root.mjs';
import { DataFixture } from './data-fixture.ts';

const fixture = new DataFixture();

test('a database lies in its data directory if its user may go there', async () => {
  const { process: weft } = await fixture.start();
  expect(weft.stderr).toBe(`Made a new database in ${fixture.data}.\n`);
  expect(await readdir(fixture.data)).toEqual(expect.arrayContaining(['keys.json', 'postgres', 'postgres.log']));
});

const ELSEWHERE = '/var/lib/weft';

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

  test('PostgreSQL runs as someone else', async () => {
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

  test('a database elsewhere that is gone, as after a lost mount, is not made anew', async () => {
    const data = await startInHome();
    await rm(dirname(elsewhere), { recursive: true });
    const before = await readdir(data);
    expect(await fixture.refusal(data)).toBe(
      `${data} has the keys of a database, and ${elsewhere} is empty: mount what is missing, restore a backup, or set DATABASE_URL if the database is there.\n`,
    );
    expect(await readdir(data)).toEqual(before);
  });

  test('a copy of the data directory does not get the database of its original', async () => {
    const data = await startInHome();
    const copy = join(dirname(data), 'copy');
    await cp(data, copy, { recursive: true });
    expect(await fixture.refusal(copy)).toBe(
      `The database in ${elsewhere} belongs to ${data}, of which ${copy} is a copy; use npm run backup to copy data.\n`,
    );
  });

  /** The permissions of a folder. */
  const access = async (dir: string) => {
    const { mode, uid, gid } = await stat(dir);
    return { mode: (mode & 0o777).toString(8), uid, gid };
  };

  const command = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'backend/backup-cli.ts'), ...args], { encoding: 'utf8' });

  test.each(['700', '750', '710'])(
    'a directory that exists (mode %s) stays as it is, and its database goes elsewhere',
    async (mode) => {
      await mkdir(fixture.data);
      await chmod(fixture.data, Number.parseInt(mode, 8));
      const before = await access(fixture.data);
      const { process: weft, client } = await fixture.start();
      elsewhere = (await readFile(join(fixture.data, 'postgres-path'), 'utf8')).trim();
      expect(weft.stderr).toMatch(/^PostgreSQL runs as \w+, which may not enter .*: its database is in .*\.\n$/);
      await client.storage.createBucket('mine', { public: false });
      expect(await weft.end('SIGTERM')).toBe(0);
      expect(await buckets(fixture.data)).toContain('mine');
      expect(await access(fixture.data)).toEqual(before);
    },
  );

  test('a new directory, also in a new folder, has its database in it and can be listed by root only', async () => {
    const data = join(fixture.folder, 'new', 'data');
    const { process: weft } = await fixture.start(data);
    expect(weft.stderr).toBe(`Made a new database in ${data}.\n`);
    expect(await readdir(data)).toContain('postgres');
    for (const dir of [dirname(data), data]) expect(await access(dir)).toMatchObject({ mode: '710', uid: 0 });
  });

  test('a copy of a data directory that root made has its database in it', async () => {
    await fixture.useTemplate();
    execFileSync('cp', ['-r', fixture.data, join(fixture.folder, 'copy')]);
    expect(await access(join(fixture.folder, 'copy'))).toMatchObject({ mode: '710', gid: 0 });
    expect(await buckets(join(fixture.folder, 'copy'))).toContain('attachments');
  });

  test('a directory that was closed to the user of its database is refused, and stays closed', async () => {
    await fixture.useTemplate();
    await chmod(fixture.data, 0o700);
    const before = await access(fixture.data);
    expect(await fixture.refusal()).toMatch(
      /^PostgreSQL runs as \w+, which may not enter .*\/data: let this user pass, or restore a backup into another directory\.\n$/,
    );
    expect(await access(fixture.data)).toEqual(before);
  });

  test('a restore into a directory that exists leaves its mode as it is', async () => {
    await fixture.useTemplate();
    const backup = join(fixture.folder, 'weft.tar');
    expect(command('backup', backup, '--data', fixture.data).status).toBe(0);
    const restored = join(fixture.folder, 'restored');
    await mkdir(restored, { mode: 0o700 });
    const before = await access(restored);
    const { status, stderr } = command('restore', backup, '--data', restored);
    elsewhere = (await readFile(join(restored, 'postgres-path'), 'utf8')).trim();
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(`which may not enter ${restored}: its database is in ${elsewhere}\\.\n$`),
    });
    expect(await buckets(restored)).toContain('attachments');
    expect(await access(restored)).toEqual(before);
  });

  test('a restore that fails leaves no database elsewhere', async () => {
    await fixture.useTemplate();
    const backup = join(fixture.folder, 'weft.tar');
    expect(command('backup', backup, '--data', fixture.data).status).toBe(0);
    const text = await readFile(backup, 'latin1');
    await writeFile(backup, text.replace('insert into "storage"', 'insert onto "storage"'), 'latin1');
    const restored = join(fixture.folder, 'restored');
    await mkdir(restored, { mode: 0o700 });
    const { status, stderr } = command('restore', backup, '--data', restored);
    expect([status, stderr.split('\n').at(-2)]).toEqual([
      1,
      expect.stringMatching(/cannot be restored: line \d+ of data\.sql: it is not a line of a backup\.$/) as string,
    ]);
    expect(await readdir(restored)).toEqual([]);
    const owners = (await readdir(ELSEWHERE)).map((name) => readFile(join(ELSEWHERE, name, 'weft-data-path'), 'utf8'));
    const found = await Promise.allSettled(owners);
    expect(found.filter((one) => one.status === 'fulfilled' && one.value.startsWith(fixture.folder))).toEqual([]);
  });
});
