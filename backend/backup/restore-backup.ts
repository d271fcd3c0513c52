// Creates a data directory from a backup: beside its final place first, then renamed when it is complete. Never
// overwrites anything.
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { LOCK_FILE } from '../data-directory/data-directory.ts';
import { openDatabase } from '../database.ts';
import type { Engine } from '../engine.ts';
import { draftOf } from '../keys/keys.ts';
import { letServerPass } from '../postgres/cluster-place.ts';
import { StartError, systemCode } from '../start-error.ts';
import { ENTRIES, FORMAT, type Manifest, manifestSchema } from './manifest.ts';
import { readTar } from './tar.ts';

export type RestoreOptions = {
  /** Created when missing; otherwise it must be empty. */
  readonly dir: string;
  /** The migrations of this Weft; a backup with others comes from a newer one. */
  readonly migrationsDir: string;
};

/**
 * Throws a `StartError` for a file that is not a backup, is damaged or comes from a newer Weft, and for a directory
 * that is not empty.
 */
export async function restoreBackup(file: string, { dir, migrationsDir }: RestoreOptions): Promise<Manifest> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length > 0) {
    throw new StartError(`${dir} holds something already; a backup is restored into an empty directory only.`);
  }
  const manifest = await readManifest(file);
  await refuseNewer(manifest, migrationsDir);
  const draft = await mkdtemp(join(dirname(dir), `.${basename(dir)}-restoring-`));
  const parts = join(draft, 'backup');
  const place = join(draft, 'data');
  try {
    await extract(file, manifest, parts, place);
    // Apply the migrations of the backup; the next start applies newer ones.
    const database = await openDatabase({ dir: place, migrationsDir: join(parts, 'migrations') });
    try {
      await load(database.pg, [join(parts, ENTRIES.auth), join(parts, ENTRIES.data)]);
    } finally {
      await database.close();
    }
    await rmdir(dir);
    await rename(place, dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return manifest;
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
  await mkdir(place, { mode: 0o700 });
  for (const made of [dirname(place), place]) await letServerPass(made);
  await writeFile(join(place, LOCK_FILE), '');
  const seen = new Set<string>();
  try {
    for await (const entry of readTar(file)) {
      if (!ENTRY.test(entry.name) || seen.has(entry.name)) throw new Error(`${entry.name} does not belong here`);
      seen.add(entry.name);
      await entry.extract(await targetOf(entry.name, parts, place));
    }
  } catch (cause) {
    throw new StartError(`${file} is damaged: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
  const missing = Object.values(ENTRIES).find((name) => !seen.has(name));
  if (missing !== undefined) throw new StartError(`${file} is damaged: ${missing} is missing.`);
  // A tar that ends exactly between two entries reads as a complete one.
  const files = [...seen].filter((name) => name.startsWith('files/')).length;
  if (files < manifest.files) {
    throw new StartError(`${file} is damaged: ${files} of ${manifest.files} files are there.`);
  }
}

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
