// One PGlite with what a hosted Supabase project has before its first migration, @supabase/lite on top of it with our
// repairs, and Weft's migrations applied. Knows no HTTP server; server.ts puts one in front.
import './lite/enable-storage.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { App } from '@supabase/lite';
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite';
import { type Keys, makeKeys } from './keys.ts';
import { keepGrantsAsTheyAre } from './lite/no-regrant.ts';
import { lockTransactions } from './lite/transaction-lock.ts';
import { valueParsers, valueSerializers } from './lite/value-parsers.ts';
import { Mailbox } from './mailbox.ts';
import { applyMigrations } from './migrations.ts';

export type DatabaseOptions = {
  /** Where the data lives; null: in memory, gone at `close`. */
  readonly dir: string | null;
  /** Absolute path of the migrations; Weft's own by default. */
  readonly migrationsDir?: string;
};

export type Database = {
  readonly pg: PGlite;
  readonly connection: PgliteConnection;
  readonly app: App;
  readonly keys: Keys;
  readonly mailbox: Mailbox;
  close(): Promise<void>;
};

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const keys = await makeKeys();
  const mailbox = new Mailbox();
  const connection = await createPgliteConnection({
    ...(options.dir === null ? {} : { url: join(options.dir, 'postgres') }),
    pgliteOptions: { parsers: valueParsers, serializers: valueSerializers },
  });
  const pg = connection.driver;
  await pg.waitReady;
  lockTransactions(connection);
  keepGrantsAsTheyAre(connection);
  await runBootstrap(pg, 'bootstrap/roles.sql');

  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.anonKey,
      secret_key: keys.serviceRoleKey,
      minimum_password_length: 8,
      enable_anonymous_sign_ins: true,
    },
    storage: { enabled: true },
    options: {
      server: { admin: false, disableStudio: true },
      drivers: { email: { send: async (mail) => mailbox.add(mail) } },
    },
  });
  await app.init();
  await app.ensureSystemSchema();
  await runBootstrap(pg, 'bootstrap/auth.sql');
  await runBootstrap(pg, 'realtime/bootstrap.sql');
  await applyMigrations(pg, options.migrationsDir ?? join(import.meta.dirname, '../supabase/migrations'));
  await connection.clearSchemaCache();

  return { pg, connection, app, keys, mailbox, close: () => connection.close() };
}

/** Each file repeats safely and runs at every start. */
async function runBootstrap(pg: PGlite, file: string): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, file), 'utf8').catch(() => null);
  if (sql !== null) await pg.transaction((tx) => tx.exec(sql));
}
