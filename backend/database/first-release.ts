// Weft's migrations were written anew for the first release, as supabase/schemas says. A database or a backup that has all of those
// before has the same tables and functions, and goes on with the new ones.
import { createHash } from 'node:crypto';

/** The newest migration of the first release. */
const FIRST_RELEASE = '20261202001800';

export const isOfFirstRelease = ({ version }: { readonly version: string }): boolean => version <= FIRST_RELEASE;

/** The commit whose Weft brings an older database to all of the migrations before. */
export const LAST_COMMIT_BEFORE = 'cf76c4a7';

/** Of the versions and texts of the 80 migrations before. */
const BEFORE_SHA256 = 'b43c955338f5f80327ed66fc99cdba5c207eef908300064101e98e81d7235a21';

export type AppliedMigration = { readonly version: string; readonly sql: string };

/** Whether these are all migrations from before the first release, oldest first, with the texts that they had. */
export function areBeforeFirstRelease(migrations: readonly AppliedMigration[]): boolean {
  const hash = createHash('sha256');
  for (const { version, sql } of migrations) hash.update(`${version}\n${essenceOf(sql)}\n`);
  return hash.digest('hex') === BEFORE_SHA256;
}

/** What a migration does. Tools that apply migrations split them into statements, and comments may change. */
export const essenceOf = (sql: string): string => sql.replaceAll(/^ *--.*\n/gm, '').replaceAll(/[\s;]+/g, '');
