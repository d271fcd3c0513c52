// Data that Weft cannot use: each start says why in one sentence, ends with 1, and leaves the data as it was.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readFile, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS_DIR, openDatabase } from '../../../backend/database.ts';
import { createCluster } from '../../../backend/postgres/create-cluster.ts';
import { diskFolder } from '../../../scripts/checks/memory-folder.ts';
import { MOUNTS } from '../../support/server/mounts.ts';
import { copyFolder, removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';
import { DataFixture } from './data-fixture.ts';

const fixture = new DataFixture();

const isRoot = process.getuid?.() === 0;

const PAGE_BYTES = 8192;
/** The header of a page stays: a page without one counts as new. */
const HEADER_BYTES = 24;
/** Tables that PostgreSQL makes for itself have lower numbers. */
const FIRST_OWN_TABLE = 16_384;

const inData = (...path: string[]): string => join(fixture.data, ...path);

/** Files that a start of PostgreSQL leaves behind, however it ends. */
const OF_A_START = ['lock', 'postgres.log', 'postmaster.opts', 'postmaster.pid'];

/** Every other file with its size and time. */
async function contents(): Promise<readonly string[]> {
  const entries = await readdir(fixture.data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !OF_A_START.includes(entry.name));
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const { size, mtimeMs } = await stat(join(parentPath, name));
      return `${parentPath}/${name} ${size} ${mtimeMs}`;
    }),
  );
}

/** The sentence of a start after `damage` was done; nothing in the directory may have changed by that start. */
async function refusalAfter(damage: () => Promise<void>): Promise<string> {
  await fixture.useTemplate();
  await damage();
  const before = await contents();
  const sentence = await fixture.refusal();
  expect(await contents()).toEqual(before);
  expect(sentence.trimEnd()).not.toContain('\n');
  return sentence.trimEnd();
}

/** Damages every page of a file. */
async function overwrite(file: string): Promise<void> {
  const bytes = await readFile(file);
  for (let page = 0; page < bytes.length; page += PAGE_BYTES) bytes.fill(0xa5, page + HEADER_BYTES, page + PAGE_BYTES);
  await writeFile(file, bytes);
}

async function overwriteTables(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (Number(name) >= FIRST_OWN_TABLE) await overwrite(join(folder, name));
}

describe('keys and database belong together', () => {
  test.each([
    ['missing', () => rm(inData('postgres'), { recursive: true })],
    [
      'empty, as the place of a lost mount is,',
      async () => {
        await rm(inData('postgres'), { recursive: true });
        await mkdir(inData('postgres'));
      },
    ],
  ])('a database that is %s beside its keys is not made anew', async (_, damage) => {
    expect(await refusalAfter(damage)).toBe(
      `${fixture.data} has the keys of a database, and ${inData('postgres')} is empty: mount what is missing, restore a backup, or set DATABASE_URL if the database is there.`,
    );
  });

  test('keys that are missing beside a database are not made anew', async () => {
    expect(await refusalAfter(() => rm(inData('keys.json')))).toBe(
      `${inData('postgres')} holds a database, and ${inData('keys.json')}, its keys, is missing: restore it or a backup.`,
    );
  });

  test('keys that cannot be read are not made anew', async () => {
    expect(await refusalAfter(() => writeFile(inData('keys.json'), '{"anonKey":"sb_publ'))).toBe(
      `${inData('keys.json')} does not hold this project’s keys: restore it or a backup.`,
    );
  });

  test('keys that are a folder are not made anew', async () => {
    const damage = async () => {
      await rm(inData('keys.json'));
      await mkdir(inData('keys.json'));
    };
    expect(await refusalAfter(damage)).toBe(`${inData('keys.json')} cannot be read: EISDIR. Restore it or a backup.`);
  });

  test('a lock that cannot be opened is not removed', async () => {
    const damage = async () => {
      await rm(inData('lock'));
      await mkdir(inData('lock'));
    };
    expect(await refusalAfter(damage)).toBe(
      `${inData('lock')} cannot be opened for writing. Nothing is stored in it: remove it, then start Weft.`,
    );
  });

  test('a copy without the lock is used', async () => {
    await fixture.useTemplate();
    await rm(inData('lock'));
    const { client } = await fixture.start();
    expect((await client.from('workspaces').select('id')).error).toBeNull();
  });

  test('a first start that was killed between both is finished by the next', async () => {
    await fixture.useTemplate();
    await rename(inData('keys.json'), inData('keys.json.new'));
    const { client } = await fixture.start();
    expect((await client.from('workspaces').select('id')).error).toBeNull();
    expect(await readdir(fixture.data)).not.toContain('keys.json.new');
  });
});

describe('a database', () => {
  test('of a newer PostgreSQL', async () => {
    expect(await refusalAfter(() => writeFile(inData('postgres/PG_VERSION'), '18\n'))).toBe(
      `${inData('postgres')} is of PostgreSQL 18, and this Weft reads 17. Back it up with the Weft that made it and restore it with this one.`,
    );
  });

  test('of a newer Weft', async () => {
    await fixture.useTemplate();
    const migrationsDir = join(fixture.folder, 'migrations');
    await cp(MIGRATIONS_DIR, migrationsDir, { recursive: true });
    await writeFile(join(migrationsDir, '20990101000001_add.sql'), 'create table public.added ();');
    const newer = await openDatabase({ dir: fixture.data, migrationsDir, log: () => {} });
    await newer.close();
    // PostgreSQL itself has to run to read the version, and writes to its files.
    const others = async () => (await contents()).filter((file) => !file.startsWith(inData('postgres/')));
    const before = await others();
    expect(await fixture.refusal()).toBe(
      'A newer Weft has changed this database (migration 20990101000001). Update Weft, or name another directory.\n',
    );
    expect(await others()).toEqual(before);
  });

  test('without the file that says its version', async () => {
    expect(await refusalAfter(() => rm(inData('postgres/PG_VERSION')))).toBe(
      `The database in ${inData('postgres')} is damaged: ${inData('postgres/PG_VERSION')} is missing. Restore a backup into another directory.`,
    );
  });

  test('whose file that says its version is empty', async () => {
    expect(await refusalAfter(() => writeFile(inData('postgres/PG_VERSION'), ''))).toBe(
      `The database in ${inData('postgres')} is damaged: ${inData('postgres/PG_VERSION')} names no version. Restore a backup into another directory.`,
    );
  });

  test.each([
    [
      'whose tables are gone',
      /database "postgres" does not exist/,
      () => rm(inData('postgres/base'), { recursive: true }),
    ],
    [
      'whose catalog is damaged',
      /invalid page in block \d+ of relation base\/5\/1259/,
      () => overwrite(inData('postgres/base/5/1259')),
    ],
    [
      'whose every table is damaged',
      /invalid page in block \d+ of relation base\/5\/\d+/,
      () => overwriteTables(inData('postgres/base/5')),
    ],
  ])('%s', async (_, message, damage) => {
    await fixture.useTemplate();
    await damage();
    const before = await contents();
    const sentence = (await fixture.refusal()).trimEnd();
    expect(sentence).toMatch(
      /^The database in .*\/postgres is damaged: .*\. Restore a backup into another directory\.$/,
    );
    expect(sentence).toMatch(message);
    // PostgreSQL itself ran and wrote to its files; none is missing.
    const names = (files: readonly string[]) =>
      files.map((file) => file.split(' ')[0]).filter((name) => !name?.endsWith('/pg_internal.init'));
    expect(names(await contents())).toEqual(expect.arrayContaining(names(before)));
  });

  test('whose control file is cut off', async () => {
    expect(await refusalAfter(() => truncate(inData('postgres/global/pg_control'), 0))).toMatch(
      /^PostgreSQL does not start on .*: could not read file "global\/pg_control".* \(more in .*postgres\.log\)\. Repair that, or restore a backup into another directory\.$/,
    );
  });

  test('whose log is gone', async () => {
    expect(await refusalAfter(() => rm(inData('postgres/pg_wal'), { recursive: true }))).toMatch(
      /^PostgreSQL does not start on .*pg_wal.*\.$/,
    );
  });

  test('that its user may not read', async () => {
    const file = inData('postgres/global/pg_control');
    const lock = async () => {
      // The files of a copy made by root belong to root, until a start hands them over.
      await (await fixture.start()).process.end('SIGTERM');
      if (isRoot) await chown(file, 0, 0);
      await chmod(file, isRoot ? 0o600 : 0);
    };
    expect(await refusalAfter(lock)).toMatch(
      /^PostgreSQL does not start on .*: could not find the database system \(more in .*\)\. Repair that, or restore a backup into another directory\.$/,
    );
  });
});

describe.each(MOUNTS)('a disk (%s)', () => {
  /** A start in which the data directory is a file system of its own. */
  const refusalOn = async (mount: string): Promise<string> => {
    const command = `${mount} && exec "$0" backend/cli.ts start --port 0 --data "${fixture.data}"`;
    try {
      execFileSync('unshare', ['--mount', 'sh', '-c', command, process.execPath], {
        stdio: 'pipe',
        encoding: 'utf8',
      });
    } catch (error) {
      if (Reflect.get(Object(error), 'status') === 1) return String(Reflect.get(Object(error), 'stderr')).trimEnd();
      throw error;
    }
    throw new Error('it started');
  };

  test('that is too small for a new database gets none', async () => {
    await mkdir(fixture.data);
    expect(await refusalOn(`mount -t tmpfs -o size=20m tmpfs "${fixture.data}"`)).toBe(
      `The disk of ${fixture.data} is full: 20 MB are free, and Weft needs 160 MB to start. Make room.`,
    );
  });

  test('that is full ends the start before PostgreSQL needs room', async () => {
    await fixture.useTemplate();
    const copy = `cp -a "${fixture.data}" "${fixture.folder}/copy"`;
    const small = `mount -t tmpfs -o size=90m tmpfs "${fixture.data}"`;
    const fill = `cp -a "${fixture.folder}/copy/." "${fixture.data}" && head -c 25m /dev/zero > "${fixture.data}/files"`;
    expect(await refusalOn(`${copy} && ${small} && ${fill}`)).toMatch(
      /^The disk of .* is full: \d+ MB are free, and Weft needs 32 MB to start\. Make room\.$/,
    );
  });

  test('that is read-only', async () => {
    await fixture.useTemplate();
    const bind = `mount --bind "${fixture.data}" "${fixture.data}" && mount -o remount,bind,ro "${fixture.data}"`;
    expect(await refusalOn(bind)).toBe(
      `The data directory ${fixture.data} cannot be written; name another with --data.`,
    );
  });

  test.each([
    ['that is read-only and has only the database', true],
    ['that is read-only and has a database that root copied', false],
  ])('%s', async (_, wasStarted) => {
    await fixture.useTemplate();
    if (wasStarted) await (await fixture.start()).process.end('SIGTERM');
    const dir = inData('postgres');
    const before = await contents();
    expect(await refusalOn(`mount --bind "${dir}" "${dir}" && mount -o remount,bind,ro "${dir}"`)).toBe(
      `The disk of ${dir} is read-only: mount it for writing.`,
    );
    expect(await contents()).toEqual(before);
  });
});

test.each(MOUNTS)('a small /dev/shm, as in a container, is enough (%s)', async () => {
  await fixture.useTemplate();
  // Not below /dev/shm, which the mount covers.
  const folder = await temporaryFolder('shm', diskFolder());
  onTestFinished(() => removeFolder(folder));
  const data = join(folder, 'data');
  await copyFolder(fixture.data, data);
  const mount = 'mount -t tmpfs -o size=64k tmpfs /dev/shm';
  const command = `${mount} && exec "$0" backend/cli.ts start --port 0 --data "${data}"`;
  const weft = spawn('unshare', ['--mount', 'sh', '-c', command, process.execPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: diskFolder() },
  });
  const ended = once(weft, 'close');
  const [line] = await once(weft.stdout, 'data');
  expect(String(line)).toMatch(/^Weft ready: /);
  weft.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('on a system without a bundled PostgreSQL the error names DATABASE_URL', async () => {
  const missing = join(fixture.folder, 'initdb');
  const making = createCluster({
    dir: join(fixture.folder, 'postgres'),
    user: null,
    binaries: { initdb: missing, postgres: missing },
    isDurable: true,
  });
  await expect(making).rejects.toThrow(
    `Weft brings no PostgreSQL that runs on this system (${process.platform}-${process.arch}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
  expect(await readdir(fixture.folder)).toEqual([]);
});
