// Prepares a database for the migrations of this Weft: refuses a database with migrations that this Weft does not have, and
// copies a database of an older Weft first, so that the operator can go back.
import { constants, cp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Queries } from '../engine.ts';
import { migrationFiles } from './migrations.ts';
import { chownTree } from '../postgres/chown-tree.ts';
import type { ClusterPlace } from '../postgres/cluster-place.ts';
import { StartError, systemCode } from '../start-error.ts';

/** Older copies are removed. */
const MAX_COPIES = 2;
const COPY_INFIX = '.before-';

export type UpgradeOptions = {
  readonly migrationsDir: string;
  /**
   * Copies the database, whose newest migration is `version`, and resolves with the path of the copy. Null: no copy, because
   * the database is temporary or the operator's.
   */
  readonly copy: ((version: string) => Promise<string>) | null;
  readonly log: (line: string) => void;
};

/**
 * Nothing else may use the database during this call. Throws a `StartError` if a newer Weft has migrated the database, or if a
 * migration was another when it was applied: its functions would be missing without a word.
 */
export async function prepareUpgrade(
  pg: Pick<Queries, 'query'>,
  { migrationsDir, copy, log }: UpgradeOptions,
): Promise<void> {
  const migrations = await appliedMigrations(pg);
  const applied = migrations.map(({ version }) => version);
  const files = await migrationFiles(migrationsDir);
  const known = files.map(({ version }) => version);
  const unknown = applied.filter((version) => !known.includes(version));
  if (unknown.length > 0) {
    throw new StartError(
      `A newer Weft has changed this database (migration ${unknown.at(-1)}). Update Weft, or name another directory.`,
    );
  }
  for (const { version, sql } of migrations) {
    const file = files.find((one) => one.version === version);
    if (sql === null || file === undefined) continue;
    if (withoutComments(sql) === withoutComments(await readFile(join(migrationsDir, file.file), 'utf8'))) continue;
    throw new StartError(
      `This database is of a Weft from before the first release (its migration ${version} has changed since), and cannot be updated. Export its pages with the Weft that made it, or name another directory.`,
    );
  }
  const missing = known.filter((version) => !applied.includes(version));
  if (applied.length === 0 || missing.length === 0) return;
  const path = copy === null ? null : await copy(applied.at(-1) ?? '');
  const backup = path === null ? '' : ` A copy from before is in ${path}.`;
  log(`Updating the database: ${missing.length} migrations.${backup}`);
}

/** Only whole lines. */
const withoutComments = (sql: string): string => sql.replaceAll(/^ *--.*\n/gm, '');

type AppliedMigration = {
  readonly version: string;
  /** Null if another tool has applied it, which records single statements. */
  readonly sql: string | null;
};

/** Empty for a new database. */
async function appliedMigrations(pg: Pick<Queries, 'query'>): Promise<readonly AppliedMigration[]> {
  const { rows: found } = await pg.query<{ exists: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await pg.query<AppliedMigration>(
    `select version, case when cardinality(statements) = 1 then statements[1] end as sql
       from supabase_migrations.schema_migrations order by version`,
  );
  return rows;
}

/** Copies a cluster that is stopped, and removes old copies. Files share their blocks if the file system supports that. */
export async function copyCluster({ dir, user }: ClusterPlace, version: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const copy = `${dir}${COPY_INFIX}${time}-${version}`;
  const draft = `${copy}.part`;
  try {
    await cp(dir, draft, { recursive: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE });
    if (user !== null) await chownTree(draft, user);
    await rename(draft, copy);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    if (systemCode(cause) !== 'ENOSPC') throw cause;
    throw new StartError(`There is no room for a copy of ${dir}, and Weft does not update it without one.`, { cause });
  }
  await removeOldCopies(dir);
  return copy;
}

async function removeOldCopies(dir: string): Promise<void> {
  const prefix = basename(dir) + COPY_INFIX;
  const copies = (await readdir(dirname(dir))).filter((name) => name.startsWith(prefix)).toSorted();
  for (const name of copies.slice(0, -MAX_COPIES)) await rm(join(dirname(dir), name), { recursive: true, force: true });
}
