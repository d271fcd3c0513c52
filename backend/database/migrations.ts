// Applies supabase/migrations/*.sql in order, each in one transaction, and records them where `supabase db push` does.
// Does not know what they contain.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';

const FILE_NAME = /^(\d+)_(.+)\.sql$/;

export type MigrationFile = { readonly file: string; readonly version: string; readonly name: string };

/** In the order in which they are applied. */
export async function migrationFiles(dir: string): Promise<readonly MigrationFile[]> {
  return (await readdir(dir)).toSorted().flatMap((file) => {
    const [, version, name] = FILE_NAME.exec(file) ?? [];
    return version === undefined || name === undefined ? [] : [{ file, version, name }];
  });
}

/** If one fails, throws with the file's name in front; that migration is rolled back, those before it stay. */
export async function applyMigrations(pg: Engine, dir: string): Promise<void> {
  await pg.exec(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations
      (version text primary key, statements text[], name text);
  `);
  const applied = await pg.query<{ version: string }>('select version from supabase_migrations.schema_migrations');
  const done = new Set(applied.rows.map((row) => row.version));
  for (const { file, version, name } of await migrationFiles(dir)) {
    if (done.has(version)) continue;
    const sql = await readFile(join(dir, file), 'utf8');
    try {
      await pg.transaction(async (tx) => {
        await tx.exec(sql);
        await tx.query(
          'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)',
          [version, [sql], name],
        );
      });
    } catch (cause) {
      throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
}
