// Makes the files of a new PostgreSQL with `initdb`: beside their place, then renamed into it, so that a first start that
// is killed leaves nothing that looks like a database.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { StartError, systemCode } from '../start-error.ts';
import { syncDirectory } from '../sync-directory.ts';
import { type Binaries, noPostgresHere } from './binaries.ts';
import { SUPERUSER, authenticationOf } from './server-access.ts';
import { type ServerUser, runAs } from './server-user.ts';

export type NewCluster = {
  readonly dir: string;
  readonly user: ServerUser;
  readonly binaries: Binaries;
  /** False: for a database that is thrown away. */
  readonly isDurable: boolean;
};

/**
 * Sorting and upper case come from PostgreSQL itself, alike on every system and after every update of it. Full-text search
 * still asks the C library what a letter is: the first of these that the system has.
 */
const LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

const DRAFT = '.new-';

/** Throws a `StartError` if the disk is full or read-only, or the programs do not run here. */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { dir, user, isDurable } = cluster;
  // A name of its own: the `initdb` of a start that was killed may still write under the old one.
  const draft = `${dir}${DRAFT}${randomUUID()}`;
  try {
    await removeDrafts(dir);
    await mkdir(draft, { mode: 0o700 });
    if (user !== null) await chown(draft, user.uid, user.gid);
    await runInitdb(cluster, draft, await authenticationOf(dir));
    await chmod(draft, 0o700);
    await rename(draft, dir);
    if (isDurable) await syncDirectory(dirname(dir));
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    throw explained(error, dir);
  }
}

async function removeDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dirname(dir))) {
    if (!name.startsWith(basename(dir) + DRAFT)) continue;
    // Files may come while it is removed.
    await rm(join(dirname(dir), name), { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

async function runInitdb(
  { binaries, user, isDurable }: NewCluster,
  dir: string,
  authentication: readonly string[],
): Promise<void> {
  for (const locale of LOCALES) {
    const options = [
      `--pgdata=${dir}`,
      `--username=${SUPERUSER}`,
      ...authentication,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${locale}`,
      '--data-checksums',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ];
    const initdb = spawn(binaries.initdb, options, {
      ...runAs(user),
      cwd: '/',
      env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: locale },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const code = new Promise<number | null>((resolve, reject) => {
      initdb.once('error', reject);
      initdb.once('close', resolve);
    });
    const [complaint] = await Promise.all([text(initdb.stderr), code]);
    if ((await code) === 0) return;
    if (!/invalid locale/.test(complaint) || locale === LOCALES.at(-1)) throw new Error(complaint.trim());
  }
}

function explained(error: unknown, dir: string): unknown {
  const output = String(error);
  const code = systemCode(error);
  if (code === 'ENOSPC' || /No space left/.test(output)) {
    return new StartError(`The disk of ${dir} is full: make room for a database.`, { cause: error });
  }
  if (code === 'EROFS' || /Read-only file system/.test(output)) {
    return new StartError(`The disk of ${dir} is read-only: mount it for writing.`, { cause: error });
  }
  // Linux says so of the dynamic linker that a program asks for: Alpine has another.
  if (code === 'ENOENT' && /spawn/.test(output)) return noPostgresHere(error);
  if (code === 'EBUSY')
    return new StartError(`${dir} is a mount of its own; mount the folder above it.`, { cause: error });
  return new StartError(`PostgreSQL could not make a database in ${dir}: ${lastLine(output)}`, { cause: error });
}

const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? '';
