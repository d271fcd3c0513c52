// Before a database is changed by a newer Weft: is it ours to change, and is there a way back? A database of a newer Weft is
// refused; one of an older is copied beside itself first.
import { constants, cp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Queries } from './engine.ts';
import { migrationFiles } from './migrations.ts';
import { StartError, systemCode } from './start-error.ts';

/** How many copies stay; the older ones go. */
const KEPT_COPIES = 2;
const COPY = '.before-';
/** What this PGlite reads. */
const POSTGRES_VERSION = '17';

export type UpgradeOptions = {
  readonly migrationsDir: string;
  /** Of PGlite; null: a database of which there is no copy to be made here (in memory, or a server's). */
  readonly postgresDir: string | null;
  readonly log: (line: string) => void;
};

/** Of a directory that PGlite has not opened yet. Throws a `StartError`. */
export async function refuseOtherPostgres(postgresDir: string): Promise<void> {
  const text = await readFile(join(postgresDir, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    // There is no database yet.
    if (systemCode(error) === 'ENOENT') return POSTGRES_VERSION;
    throw error;
  });
  const found = text.trim();
  if (found === POSTGRES_VERSION) return;
  throw new StartError(
    `${postgresDir} is of PostgreSQL ${found}, and this Weft reads ${POSTGRES_VERSION}. ` +
      `Back it up with the Weft that made it and restore it with this one.`,
  );
}

/** Nothing else may run on the database meanwhile. Throws a `StartError` for one of a newer Weft. */
export async function prepareUpgrade(pg: Queries, { migrationsDir, postgresDir, log }: UpgradeOptions): Promise<void> {
  const applied = await appliedVersions(pg);
  const known = (await migrationFiles(migrationsDir)).map(({ version }) => version);
  const unknown = applied.filter((version) => !known.includes(version));
  if (unknown.length > 0) {
    throw new StartError(
      `The data is of a newer Weft (migration ${unknown.at(-1)}). Update Weft, or name another directory.`,
    );
  }
  const missing = known.filter((version) => !applied.includes(version));
  if (applied.length === 0 || missing.length === 0) return;
  if (postgresDir === null) return log(`The database is brought up to date: ${missing.length} migrations.`);
  await pg.exec('checkpoint');
  const copy = await copyDirectory(postgresDir, applied.at(-1) ?? '');
  log(`The database is brought up to date: ${missing.length} migrations. As it was, it is in ${copy}.`);
  await forgetOldCopies(postgresDir);
}

/** Empty for a new database. */
async function appliedVersions(pg: Queries): Promise<readonly string[]> {
  const { rows: found } = await pg.query<{ exists: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await pg.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return rows.map(({ version }) => version);
}

/** Files share their blocks where the file system can do that. */
async function copyDirectory(dir: string, version: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const copy = `${dir}${COPY}${time}-${version}`;
  const draft = `${copy}.part`;
  try {
    await cp(dir, draft, { recursive: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE });
    await rename(draft, copy);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    if (systemCode(cause) !== 'ENOSPC') throw cause;
    throw new StartError(`There is no room for a copy of ${dir}, without which it is not brought up to date.`, {
      cause,
    });
  }
  return copy;
}

async function forgetOldCopies(dir: string): Promise<void> {
  const prefix = basename(dir) + COPY;
  const copies = (await readdir(dirname(dir))).filter((name) => name.startsWith(prefix)).toSorted();
  for (const name of copies.slice(0, -KEPT_COPIES))
    await rm(join(dirname(dir), name), { recursive: true, force: true });
}
