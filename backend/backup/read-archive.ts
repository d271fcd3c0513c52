// Reads the tar file of a backup, which can come from someone else: accepts only the names that a backup has, so none
// leads out of its folder, and takes keys and migrations only in the form that this Weft gives them.
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type AppliedMigration,
  LAST_COMMIT_BEFORE,
  areBeforeFirstRelease,
  essenceOf,
  isFromBefore,
  isOfFirstRelease,
} from '../database/first-release.ts';
import { type MigrationFile, migrationFiles } from '../database/migrations.ts';
import { parseKeys, writeDraft } from '../keys/keys.ts';
import { StartError, systemCode } from '../start-error.ts';
import { isDiskFull } from './disk-full.ts';
import type { Dumps } from './load-dumps.ts';
import { BACKUP_FORMAT, ENTRIES, type Manifest, manifestSchema, migrationEntry } from './manifest.ts';
import { type TarEntry, printable, readTar } from './tar.ts';

const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const ENTRY =
  /^(?:(?:manifest|keys|files)\.json|(?:users|auth|data)\.sql|migrations\/\d+_[\w-]*\.sql|files\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const DUMPS: ReadonlySet<string> = new Set([ENTRIES.users, ENTRIES.auth, ENTRIES.data]);

export type Archive = {
  readonly file: string;
  readonly manifest: Manifest;
  /** Those of this Weft that make the tables of the backup, oldest first. */
  readonly migrations: readonly MigrationFile[];
  /** The backup itself has the migrations from before the first release. */
  readonly isBefore: boolean;
};

/** Reads the first entry. Throws a `StartError` for a file that is no backup, or one of a newer or another Weft. */
export async function openArchive(file: string, migrationsDir: string): Promise<Archive> {
  const manifest = await readManifest(file);
  const own = await migrationFiles(migrationsDir);
  const { format, weft, migrations } = manifest;
  // `extractArchive` checks their texts, which come later in the file.
  if (format <= BACKUP_FORMAT && migrations.length > 0 && migrations.every(isFromBefore)) {
    return { file, manifest, migrations: own.filter(isOfFirstRelease), isBefore: true };
  }
  const versions = own.map(({ version }) => version);
  if (format > BACKUP_FORMAT || migrations.some((version) => !versions.includes(version))) {
    throw new StartError(`This backup was made by a newer Weft (${weft}). Update Weft, then restore it.`);
  }
  const known = own.slice(0, migrations.length);
  const odd = known.find(({ version }, at) => version !== migrations[at]);
  if (odd !== undefined) {
    throw new StartError(
      `This backup was made by another Weft (${weft}): its migrations are not the first ones of this Weft (${odd.file}).`,
    );
  }
  return { file, manifest, migrations: known, isBefore: false };
}

async function readManifest(file: string): Promise<Manifest> {
  try {
    for await (const entry of readTar(file)) {
      if (entry.name !== ENTRIES.manifest) break;
      return v.parse(manifestSchema, JSON.parse(await entry.text(MAX_TEXT_BYTES)));
    }
  } catch (cause) {
    const code = systemCode(cause) ?? '';
    if (code === 'ENOENT') throw new StartError(`There is no file ${file}.`, { cause });
    if (/^E[A-Z]+$/.test(code)) throw new StartError(`${file} cannot be read: ${code}.`, { cause });
    throw new StartError(`${file} is no backup of Weft.`, { cause });
  }
  throw new StartError(`${file} is no backup of Weft.`);
}

export type ExtractOptions = {
  readonly archive: Archive;
  readonly migrationsDir: string;
  /** An empty folder for what the load reads. */
  readonly parts: string;
  /** The data directory: gets the files, and the keys as a draft, because keys without a database are refused. */
  readonly place: string;
  readonly signal: AbortSignal;
};

export type Extracted = Dumps & {
  /** A folder with this Weft's migrations up to those of the backup. */
  readonly migrationsDir: string;
};

/** Throws a `StartError` that says what is wrong with the file. */
export async function extractArchive({ archive, ...options }: ExtractOptions): Promise<Extracted> {
  const { file } = archive;
  const { parts, place, signal } = options;
  const { users, auth, data } = ENTRIES;
  const dumps = { users: join(parts, users), auth: join(parts, auth), data: join(parts, data) };
  const migrationsDir = join(parts, 'migrations');
  await mkdir(migrationsDir);
  for (const { file: name } of archive.migrations) {
    await copyFile(join(options.migrationsDir, name), join(migrationsDir, name));
  }
  const seen = new Set<string>();
  const before: AppliedMigration[] = [];
  try {
    for await (const entry of readTar(file, signal)) {
      if (!ENTRY.test(entry.name) || seen.has(entry.name)) {
        throw new Error(`${printable(entry.name)} does not belong here`);
      }
      seen.add(entry.name);
      if (entry.name === ENTRIES.keys) await takeKeys(entry, place);
      else if (DUMPS.has(entry.name)) await entry.extract(join(parts, entry.name));
      else if (entry.name.startsWith('files/')) await takeFile(entry, place);
      else if (!entry.name.startsWith('migrations/')) continue;
      else if (archive.isBefore) before.push(await migrationOf(entry));
      else await checkMigration(entry, archive, migrationsDir);
    }
    refuseIncomplete(archive, seen);
    if (archive.isBefore && !areBeforeFirstRelease(before)) throw new StartError(notTheLast(archive.manifest));
  } catch (cause) {
    if (cause instanceof StartError || isDiskFull(cause)) throw cause;
    throw new StartError(`${file} is damaged: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
  return { ...dumps, migrationsDir };
}

async function takeKeys(entry: TarEntry, place: string): Promise<void> {
  const keys = parseKeys(await entry.text(MAX_TEXT_BYTES));
  if (keys === null) throw new Error(`${ENTRIES.keys} does not hold keys`);
  await writeDraft(join(place, ENTRIES.keys), keys);
}

async function takeFile(entry: TarEntry, place: string): Promise<void> {
  const version = entry.name.slice('files/'.length);
  const folder = join(place, 'files', version.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await entry.extract(join(folder, version));
}

async function migrationOf(entry: TarEntry): Promise<AppliedMigration> {
  return { version: /\d+/.exec(entry.name)?.[0] ?? '', sql: await entry.text(MAX_TEXT_BYTES) };
}

const notTheLast = ({ weft }: Manifest): string =>
  `This backup is of a Weft from before the first release (${weft}), and not of its last state. Restore it with Weft of commit ${LAST_COMMIT_BEFORE}, start that once, and make a backup with this one.`;

/** Only this Weft's migrations run. With others, the rows would not be of its tables. */
async function checkMigration(entry: TarEntry, { migrations }: Archive, dir: string): Promise<void> {
  const text = await entry.text(MAX_TEXT_BYTES);
  const own = migrations.find(({ version }) => entry.name.startsWith(migrationEntry(version)));
  if (own !== undefined && essenceOf(text) === essenceOf(await readFile(join(dir, own.file), 'utf8'))) return;
  throw new StartError(
    `${printable(entry.name)} is not a migration of this Weft, and Weft runs no other: the backup was changed, or made by a Weft from before the first release.`,
  );
}

function refuseIncomplete({ manifest }: Archive, seen: ReadonlySet<string>): void {
  const missing = Object.values(ENTRIES).find((name) => !seen.has(name));
  if (missing !== undefined) throw new Error(`${missing} is missing`);
  const starts = manifest.migrations.map(migrationEntry);
  const unread = starts.find((start) => ![...seen].some((name) => name.startsWith(start)));
  if (unread !== undefined) throw new Error(`${unread}*.sql is missing`);
  // A tar that ends exactly between two entries reads as a complete one.
  const files = [...seen].filter((name) => name.startsWith('files/')).length;
  if (files !== manifest.files) throw new Error(`${files} of ${manifest.files} files are there`);
}
