// Prepares a database for the migrations of this Weft: refuses a database with migrations that this Weft does not have, and
// copies a database of an older Weft first, so that the operator can go back.
import { constants, cp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Queries } from '../engine.ts';
import { chownTree } from '../postgres/chown-tree.ts';
import type { ClusterPlace } from '../postgres/cluster-place.ts';
import { StartError, systemCode } from '../start-error.ts';
import {
  type AppliedMigration,
  LAST_COMMIT_BEFORE,
  areBeforeFirstRelease,
  essenceOf,
  isFromBefore,
} from './first-release.ts';
import { type MigrationFile, appliedMigrations, migrationFiles } from './migrations.ts';

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
  const newest = migrations.at(-1)?.version;
  if (newest === undefined) return;
  const files = await migrationFiles(migrationsDir);
  const isBefore = areBeforeFirstRelease(migrations);
  if (!isBefore) await refuseOthers(migrations, migrationsDir, files);
  const applied = new Set(migrations.map(({ version }) => version));
  const missing = files.filter(({ version }) => !applied.has(version));
  if (missing.length === 0) return;
  const path = copy === null ? null : await copy(newest);
  const backup = path === null ? '' : ` A copy from before is in ${path}.`;
  log(`Updating the database: ${isBefore ? 'to the first release' : `${missing.length} migrations`}.${backup}`);
}

async function refuseOthers(
  migrations: readonly AppliedMigration[],
  dir: string,
  files: readonly MigrationFile[],
): Promise<void> {
  for (const { version, sql } of migrations) {
    const own = files.find((file) => file.version === version);
    if (own !== undefined && (sql === '' || essenceOf(sql) === essenceOf(await readFile(join(dir, own.file), 'utf8'))))
      continue;
    throw new StartError(refusalOf(version, files));
  }
}

/** Why a database is refused whose migration `version` is none of `files`, or has another text there. */
function refusalOf(version: string, files: readonly MigrationFile[]): string {
  if (version > (files.at(-1)?.version ?? '')) {
    return `A newer Weft has changed this database (migration ${version}). Update Weft, or name another directory.`;
  }
  if (isFromBefore(version)) {
    return `This database is of a Weft from before the first release, and not of its last state. Start it once with Weft of commit ${LAST_COMMIT_BEFORE}, then with this one, or name another directory.`;
  }
  return `The migration ${version} of this database is not the one of this Weft, so it cannot be updated. Export its pages with the Weft that made it, or name another directory.`;
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
