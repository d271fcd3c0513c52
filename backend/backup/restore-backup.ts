// Creates a data directory from a backup: beside its final place first, then renamed when it is complete. Never
// overwrites anything, and leaves nothing behind when it fails.
import { createReadStream } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { LOCK_FILE } from '../data-directory/data-directory.ts';
import { openDatabase } from '../database.ts';
import type { Engine } from '../engine.ts';
import { draftOf } from '../keys/keys.ts';
import { removeClusterElsewhere } from '../postgres/cluster-place.ts';
import { makeDirectory } from '../postgres/make-directory.ts';
import { findServerUser, isRoot } from '../postgres/server-user.ts';
import { StartError, systemCode } from '../start-error.ts';
import { ENTRIES, FORMAT, type Manifest, manifestSchema, migrationEntry } from './manifest.ts';
import { readTar } from './tar.ts';

export type RestoreOptions = {
  /** Created when missing; otherwise it must be empty. */
  readonly dir: string;
  /** The migrations of this Weft; a backup with others comes from a newer one. */
  readonly migrationsDir: string;
};

/**
 * Throws a `StartError` for a file that is not a backup, is damaged or comes from a newer Weft, and for a directory
 * that is not empty or is a mount point.
 */
export async function restoreBackup(file: string, { dir, migrationsDir }: RestoreOptions): Promise<Manifest> {
  await refuseMountPoint(dir);
  await refuseFilled(dir);
  const manifest = await readManifest(file);
  await refuseNewer(manifest, migrationsDir);
  const firstMade = await makeDirectory(dir).catch((cause: unknown) => {
    throw cause instanceof StartError ? cause : new StartError(`${dir} cannot be made.`, { cause });
  });
  try {
    await restoreBeside(file, manifest, dir);
  } catch (error) {
    if (firstMade !== undefined) await removeEmpty(dir, firstMade);
    throw error;
  }
  return manifest;
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
async function restoreBeside(file: string, manifest: Manifest, dir: string): Promise<void> {
  const draft = join(dirname(dir), `.${basename(dir)}-restoring-${randomUUID()}`);
  const parts = join(draft, 'backup');
  const place = join(draft, 'data');
  try {
    await makeDirectory(draft, await findServerUser([dir]));
    await makeLike(dir, place);
    await extract(file, manifest, parts, place);
    // Apply the migrations of the backup; the next start applies newer ones.
    const database = await openDatabase({
      dir: place,
      migrationsDir: join(parts, 'migrations'),
      log: (line) => process.stderr.write(`${line.replaceAll(place, dir)}\n`),
    });
    try {
      await load(database.pg, [join(parts, ENTRIES.auth), join(parts, ENTRIES.data)]).catch((cause: unknown) => {
        throw new StartError(`${file} cannot be restored: ${messageOf(cause)}.`, { cause });
      });
    } finally {
      await database.close();
    }
    await rmdir(dir).catch((cause: unknown) => {
      throw systemCode(cause) === 'EBUSY' ? mountPointError(dir, cause) : cause;
    });
    await rename(place, dir);
  } catch (error) {
    await removeClusterElsewhere(place);
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A folder with the mode and the owner of `model`, whose place it takes. */
async function makeLike(model: string, dir: string): Promise<void> {
  const { mode, uid, gid } = await stat(model);
  await mkdir(dir, { mode: 0o700 });
  if (isRoot) await chown(dir, uid, gid);
  await chmod(dir, mode & 0o7777);
}

/** Removes `dir` and the folders above it up to `top`, unless somebody else has put something into them. */
async function removeEmpty(dir: string, top: string): Promise<void> {
  try {
    for (let path = dir; path.length >= top.length; path = dirname(path)) await rmdir(path);
  } catch {
    // Not empty.
  }
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    for await (const entry of readTar(file)) {
      if (entry.name !== ENTRIES.manifest) break;
      return v.parse(manifestSchema, JSON.parse(await entry.text()));
    }
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') throw new StartError(`There is no file ${file}.`, { cause });
    throw new StartError(`${file} is no backup of Weft.`, { cause });
  }
  throw new StartError(`${file} is no backup of Weft.`);
}

async function refuseNewer({ format, weft, migrations }: Manifest, migrationsDir: string): Promise<void> {
  const known = (await readdir(migrationsDir)).map((name) => name.split('_', 1)[0]);
  if (format > FORMAT || migrations.some((version) => !known.includes(version))) {
    throw new StartError(`This backup was made by a newer Weft (${weft}). Update Weft, then restore it.`);
  }
}

const ENTRY =
  /^(?:(?:manifest|keys|files)\.json|(?:users|auth|data)\.sql|migrations\/\d+_[\w-]*\.sql|files\/[0-9a-f-]{36})$/;

/** Accepts only names that a backup has, since the name of an entry decides where it is written. */
async function extract(file: string, manifest: Manifest, parts: string, place: string): Promise<void> {
  await mkdir(join(parts, 'migrations'), { recursive: true });
  await writeFile(join(place, LOCK_FILE), '');
  const seen = new Set<string>();
  try {
    for await (const entry of readTar(file)) {
      if (!ENTRY.test(entry.name) || seen.has(entry.name)) throw new Error(`${entry.name} does not belong here`);
      seen.add(entry.name);
      await entry.extract(await targetOf(entry.name, parts, place));
    }
  } catch (cause) {
    throw new StartError(`${file} is damaged: ${messageOf(cause)}.`, { cause });
  }
  const needed = [
    ...Object.values(ENTRIES).map((name) => ({ name, isThere: seen.has(name) })),
    ...manifest.migrations.map((version) => ({
      name: migrationEntry(version, '*'),
      isThere: [...seen].some((name) => name.startsWith(`migrations/${version}_`)),
    })),
  ];
  const missing = needed.find(({ isThere }) => !isThere)?.name;
  if (missing !== undefined) throw new StartError(`${file} is damaged: ${missing} is missing.`);
  // A tar that ends exactly between two entries reads as a complete one.
  const files = [...seen].filter((name) => name.startsWith('files/')).length;
  if (files < manifest.files) {
    throw new StartError(`${file} is damaged: ${files} of ${manifest.files} files are there.`);
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function targetOf(name: string, parts: string, place: string): Promise<string> {
  const [, version] = /^files\/(.+)$/.exec(name) ?? [];
  if (version !== undefined) {
    const folder = join(place, 'files', version.slice(0, 2));
    await mkdir(folder, { recursive: true });
    return join(folder, version);
  }
  // Keys without a database are refused: these wait until there is one.
  return name === ENTRIES.keys ? draftOf(join(place, name)) : join(parts, name);
}

/** Loads everything in one transaction, line by line, so that no script is in memory as a whole. */
async function load(engine: Engine, scripts: readonly string[]): Promise<void> {
  await engine.transaction(async (tx) => {
    for (const script of scripts) {
      const lines = createInterface({ input: createReadStream(script, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
      for await (const line of lines) await tx.exec(line);
    }
  });
  await engine.exec('analyze');
}
