// Applies supabase/migrations/*.sql in order, each in one transaction, and records them where `supabase db push` does.
// Does not know what they contain.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, Queries } from '../engine.ts';
import { type AppliedMigration, areBeforeFirstRelease, isOfFirstRelease } from './first-release.ts';

const FILE_NAME = /^(\d+)_(.+)\.sql$/;

export type MigrationFile = { readonly file: string; readonly version: string; readonly name: string };

/** In the order in which they are applied. */
export async function migrationFiles(dir: string): Promise<readonly MigrationFile[]> {
  return (await readdir(dir)).toSorted().flatMap((file) => {
    const [, version, name] = FILE_NAME.exec(file) ?? [];
    return version === undefined || name === undefined ? [] : [{ file, version, name }];
  });
}

export type RecordedMigration = AppliedMigration & { readonly name: string };

/** Oldest first. Empty for a new database. `sql` and `name` are empty where another tool recorded none. */
export async function appliedMigrations(pg: Pick<Queries, 'query'>): Promise<readonly RecordedMigration[]> {
  const { rows: found } = await pg.query<{ exists: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await pg.query<RecordedMigration>(
    `select version, coalesce(name, '') as name, coalesce(array_to_string(statements, E';\\n'), '') as sql
       from supabase_migrations.schema_migrations order by version`,
  );
  return rows;
}

/** If one fails, throws with the file's name in front; that migration is rolled back, those before it stay. */
export async function applyMigrations(pg: Engine, dir: string): Promise<void> {
  await pg.exec(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations
      (version text primary key, statements text[], name text);
  `);
  const files = await migrationFiles(dir);
  const applied = await appliedMigrations(pg);
  const isBefore = areBeforeFirstRelease(applied);
  if (isBefore) await recordFirstRelease(pg, dir, files);
  const done = new Set((isBefore ? files.filter(isOfFirstRelease) : applied).map(({ version }) => version));
  for (const migration of files) {
    if (done.has(migration.version)) continue;
    const sql = await readFile(join(dir, migration.file), 'utf8');
    try {
      await pg.transaction(async (tx) => {
        await tx.exec(sql);
        await record(tx, migration, sql);
      });
    } catch (cause) {
      throw new Error(`${migration.file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
}

/** A database from before the first release has what the release's migrations make, so they are recorded as applied. */
async function recordFirstRelease(pg: Engine, dir: string, files: readonly MigrationFile[]): Promise<void> {
  await pg.transaction(async (tx) => {
    await tx.query('delete from supabase_migrations.schema_migrations');
    for (const migration of files.filter(isOfFirstRelease)) {
      await record(tx, migration, await readFile(join(dir, migration.file), 'utf8'));
    }
  });
}

const record = (tx: Pick<Queries, 'query'>, { version, name }: MigrationFile, sql: string) =>
  tx.query('insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)', [
    version,
    [sql],
    name,
  ]);
