// Creates a data directory from a backup: beside its final place first, then renamed when it is complete. Never
// overwrites anything, and leaves nothing behind when it fails.
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { LOCK_FILE } from '../data-directory/data-directory.ts';
import { openDatabase } from '../database.ts';
import { applyMigrations } from '../database/migrations.ts';
import { removeClusterElsewhere } from '../postgres/cluster-place.ts';
import { makeDirectory } from '../postgres/make-directory.ts';
import { findServerUser, isRoot } from '../postgres/server-user.ts';
import { StartError, systemCode } from '../start-error.ts';
import { isDiskFull, isNearlyFull } from './disk-full.ts';
import { checkDumps, loadDumps } from './load-dumps.ts';
import type { Manifest } from './manifest.ts';
import { type Archive, type Extracted, extractArchive, openArchive } from './read-archive.ts';
import { printable } from './tar.ts';

export type RestoreOptions = {
  /** An absolute path. Created when missing; otherwise it must be empty. */
  readonly dir: string;
  /** The migrations of this Weft. Those of the backup must be the first ones of these. */
  readonly migrationsDir: string;
  /** Devices put back nothing of what the backup lacks. */
  readonly isFinal?: boolean;
  /** Aborted with a `StartError`. */
  readonly signal: AbortSignal;
};

/**
 * Throws a `StartError` for a file that is not a backup, is damaged or comes from a newer Weft, and for a directory
 * that is not empty or is a mount point.
 */
export async function restoreBackup(file: string, options: RestoreOptions): Promise<Manifest> {
  const { dir, migrationsDir } = options;
  await refuseMountPoint(dir);
  await refuseFilled(dir);
  const archive = await openArchive(file, migrationsDir);
  const firstMade = await makeDirectory(dir).catch((cause: unknown) => {
    throw cause instanceof StartError ? cause : new StartError(`${dir} cannot be made.`, { cause });
  });
  try {
    await restoreBeside(archive, options);
  } catch (error) {
    if (firstMade !== undefined) await removeEmpty(dir, firstMade);
    throw error;
  }
  return archive.manifest;
}

/** Another folder cannot take its place. A mount of the same file system is not seen here; `rmdir` refuses it. */
async function refuseMountPoint(dir: string): Promise<void> {
  const [own, parent] = await Promise.all([dir, dirname(dir)].map((path) => stat(path).catch(() => null)));
  if (own && parent && own.dev !== parent.dev) throw mountPointError(dir);
}

const mountPointError = (dir: string, cause?: unknown): StartError =>
  new StartError(
    `${dir} is a mount point. Restore into a folder inside it, for example ${join(dir, 'weft')}, and start Weft with that folder.`,
    { cause },
  );

async function refuseFilled(dir: string): Promise<void> {
  const entries = await readdir(dir).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return [];
    throw new StartError(`${dir} is not a directory that can be read.`, { cause });
  });
  if (entries.length > 0) {
    throw new StartError(`${dir} holds something already; a backup is restored into an empty directory only.`);
  }
}

/** Restores into a folder beside `dir`, which is empty, and gives that folder the name of `dir` when it is complete. */
async function restoreBeside(archive: Archive, options: RestoreOptions): Promise<void> {
  const { dir, migrationsDir, signal } = options;
  const draft = join(dirname(dir), `.${basename(dir)}-restoring-${randomUUID()}`);
  const parts = join(draft, 'backup');
  const place = join(draft, 'data');
  /** The output of the database's start, for a restore that succeeds. */
  const lines: string[] = [];
  try {
    await makeDirectory(draft, await findServerUser([dir]));
    await makeLike(dir, place);
    await mkdir(parts);
    // Marks it as Weft's own, or the database would refuse a directory in which the backup's files already are.
    await writeFile(join(place, LOCK_FILE), '');
    const extracted = await extractArchive({ archive, migrationsDir, parts, place, signal });
    await fillDatabase(archive, extracted, { ...options, parts, place, log: (line) => lines.push(line) });
    await rmdir(dir).catch((cause: unknown) => {
      throw systemCode(cause) === 'EBUSY' ? mountPointError(dir, cause) : cause;
    });
    await rename(place, dir);
    for (const line of lines) process.stderr.write(`${line.replaceAll(place, dir)}\n`);
  } catch (error) {
    // PostgreSQL's own files may be outside the draft: its user cannot enter every directory.
    await removeClusterElsewhere(place);
    signal.throwIfAborted();
    throw explained(error, archive.file, { place, dir });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

type Filling = RestoreOptions & {
  readonly parts: string;
  readonly place: string;
  readonly log: (line: string) => void;
};

async function fillDatabase(archive: Archive, extracted: Extracted, options: Filling): Promise<void> {
  const { parts, place, dir, migrationsDir, isFinal = false, signal, log } = options;
  await checkDumps(extracted, signal).catch((cause: unknown) => {
    throw notRestored(archive.file, cause);
  });
  const database = await openDatabase({
    dir: place,
    // The tables as they were when the backup was made.
    migrationsDir: extracted.migrationsDir,
    log,
  });
  try {
    signal.throwIfAborted();
    await loadDumps(database.pg, extracted, signal);
    await applyMigrations(database.pg, migrationsDir);
    if (isFinal) await database.pg.exec('select weft.final_restore()');
    signal.throwIfAborted();
  } catch (cause) {
    if (cause instanceof StartError || isDiskFull(cause)) throw cause;
    if (await isNearlyFull(place)) throw diskFullError(dir, archive.file, cause);
    throw notRestored(archive.file, cause);
  } finally {
    // On a full disk, PostgreSQL needs this room to end in order.
    await rm(parts, { recursive: true, force: true }).catch(() => undefined);
    await database.close();
  }
}

/** `place` exists only during the restore. */
function explained(error: unknown, file: string, { place, dir }: { place: string; dir: string }): unknown {
  if (isDiskFull(error)) return diskFullError(dir, file, error);
  if (!(error instanceof StartError)) return error;
  return new StartError(error.message.replaceAll(place, dir), { cause: error });
}

const diskFullError = (dir: string, file: string, cause: unknown): StartError =>
  new StartError(`The disk of ${dirname(dir)} is full: ${file} is not restored. Make room.`, { cause });

const notRestored = (file: string, cause: unknown): StartError =>
  new StartError(`${file} cannot be restored: ${printable(messageOf(cause))}.`, { cause });

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** A folder with the mode and the owner of `model`, whose place it takes. */
async function makeLike(model: string, dir: string): Promise<void> {
  const { mode, uid, gid } = await stat(model);
  await mkdir(dir, { mode: 0o700 });
  if (isRoot) await chown(dir, uid, gid);
  await chmod(dir, mode & 0o7777);
}

/** Removes `dir` and the folders above it up to `top`, unless someone else has put something into them. */
async function removeEmpty(dir: string, top: string): Promise<void> {
  try {
    for (let path = dir; path.length >= top.length; path = dirname(path)) await rmdir(path);
  } catch {
    // Not empty.
  }
}
