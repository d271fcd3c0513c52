// Creates what a hosted project has before its first migration. Does so again only when its scripts have changed or the
// database is in another cluster, since roles belong to the cluster: at every start it would take 0.2 s.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';

/** In this order. Each file repeats safely. */
const FILES = ['bootstrap/roles.sql', 'bootstrap/auth.sql', 'bootstrap/storage.sql', 'realtime/bootstrap.sql'];

export async function bootstrap(pg: Engine): Promise<void> {
  const scripts = await Promise.all(FILES.map(read));
  const hash = createHash('sha256');
  for (const sql of scripts) hash.update('\0').update(sql);
  const fingerprint = `${hash.digest('hex')} ${await clusterOf(pg)}`;
  if ((await storedFingerprint(pg)) === fingerprint) return;

  for (const sql of scripts) await pg.transaction((tx) => tx.exec(sql));
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

const read = (file: string): Promise<string> => readFile(join(import.meta.dirname, '..', file), 'utf8');

async function clusterOf(pg: Engine): Promise<string> {
  const { rows } = await pg.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  return rows[0]?.id ?? '';
}

/** Null if the database is new, or older than the fingerprint. */
async function storedFingerprint(pg: Engine): Promise<string | null> {
  const { rows } = await pg.query(
    `select from pg_tables where schemaname = 'weft_backend' and tablename = 'bootstrap'`,
  );
  if (rows.length === 0) return null;
  const found = await pg.query<{ fingerprint: string }>('select fingerprint from weft_backend.bootstrap');
  return found.rows[0]?.fingerprint ?? null;
}
