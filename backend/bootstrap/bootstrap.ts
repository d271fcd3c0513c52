// Makes what a hosted project has before its first migration: once, and again when any of it is another (a newer Weft, a
// newer lite) or the database has come to another cluster, which roles belong to. At every start it would cost 0.2 s.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { App } from '@supabase/lite';
import { assert } from '../../src/lib/assert.ts';
import type { Engine } from '../engine.ts';

/** In this order; lite's own schema comes in between. Each file repeats safely. */
const BEFORE_LITE = ['bootstrap/roles.sql'];
const AFTER_LITE = ['bootstrap/auth.sql', 'bootstrap/storage.sql'];
const REALTIME = ['realtime/bootstrap.sql', 'realtime/changes.sql'];

/** Without our Realtime its schema is another server's, and left alone. */
type Parts = { readonly withRealtime: boolean };

export async function bootstrap(pg: Engine, app: App, { withRealtime }: Parts): Promise<void> {
  const [lite, before, after] = await Promise.all([
    readLite(),
    Promise.all(BEFORE_LITE.map(read)),
    Promise.all([...AFTER_LITE, ...(withRealtime ? REALTIME : [])].map(read)),
  ]);
  const hash = createHash('sha256').update(lite);
  for (const sql of [...before, ...after]) hash.update('\0').update(sql);
  const fingerprint = `${hash.digest('hex')} ${await clusterOf(pg)}`;
  if ((await madeBefore(pg)) === fingerprint) return;

  for (const sql of before) await pg.transaction((tx) => tx.exec(sql));
  await app.ensureSystemSchema();
  for (const sql of after) await pg.transaction((tx) => tx.exec(sql));
  await pg.transaction(async (tx) => {
    await tx.exec(`
      create schema if not exists weft_backend;
      create table if not exists weft_backend.bootstrap (id boolean primary key default true check (id), fingerprint text);
    `);
    await tx.query(
      'insert into weft_backend.bootstrap (fingerprint) values ($1) on conflict (id) do update set fingerprint = $1',
      [fingerprint],
    );
  });
}

/** Not `import.meta.resolve`: Vite's runner, in which vitest prepares its projects, has none. */
async function readLite(): Promise<Buffer> {
  const manifest = findPackageJSON('@supabase/lite', import.meta.url);
  assert(manifest !== undefined, 'lite is installed');
  return readFile(join(dirname(manifest), 'dist/index.js'));
}

const read = (file: string): Promise<string> => readFile(join(import.meta.dirname, '..', file), 'utf8');

async function clusterOf(pg: Engine): Promise<string> {
  const { rows } = await pg.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  return rows[0]?.id ?? '';
}

/** Null: never, or before this was written down. */
async function madeBefore(pg: Engine): Promise<string | null> {
  const { rows } = await pg.query(
    `select from pg_tables where schemaname = 'weft_backend' and tablename = 'bootstrap'`,
  );
  if (rows.length === 0) return null;
  const found = await pg.query<{ fingerprint: string }>('select fingerprint from weft_backend.bootstrap');
  return found.rows[0]?.fingerprint ?? null;
}
