// Weft's migrations were written anew for the first release, as supabase/schemas says. A database or a backup with all
// of the earlier ones has the same tables and functions, and goes on with the new ones.
import { createHash } from 'node:crypto';

/** The oldest and the newest migration of the first release. */
const [OLDEST, NEWEST] = ['20261202000100', '20261202001800'];

export const isOfFirstRelease = ({ version }: { readonly version: string }): boolean => version <= NEWEST;

export const isFromBefore = (version: string): boolean => version < OLDEST;

/** The commit whose Weft brings an older database to the last state before the first release. */
export const LAST_COMMIT_BEFORE = 'cf76c4a7';

/** The newest of the 80 earlier migrations. */
const NEWEST_BEFORE = '20261201000000';
/** The hash of the versions and texts of these 80. */
const BEFORE_SHA256 = 'b43c955338f5f80327ed66fc99cdba5c207eef908300064101e98e81d7235a21';

export type AppliedMigration = { readonly version: string; readonly sql: string };

/** Whether these are all migrations from before the first release, oldest first, with the texts that they had. */
export function areBeforeFirstRelease(migrations: readonly AppliedMigration[]): boolean {
  // Every start asks: only a database that may be one is hashed.
  if (migrations.at(-1)?.version !== NEWEST_BEFORE) return false;
  const hash = createHash('sha256');
  for (const { version, sql } of migrations) hash.update(`${version}\n${essenceOf(sql)}\n`);
  return hash.digest('hex') === BEFORE_SHA256;
}

/**
 * A migration without lines of comment, white space and semicolons: tools that apply it record it split into
 * statements.
 */
export const essenceOf = (sql: string): string => sql.replaceAll(/^ *--.*\n/gm, '').replaceAll(/[\s;]+/g, '');
