// Opens the database, gives it what a hosted Supabase project has before its first migration, applies Weft's migrations,
// and puts Auth, REST and Storage on top. Does not know the HTTP server.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMBEDDED_MESSAGES_PER_SECOND } from '../src/protocol/limits.ts';
import { createApi } from './api.ts';
import { Auth } from './auth/auth.ts';
import { Mailbox } from './auth/mail/mailbox.ts';
import { Passwords } from './auth/passwords/passwords.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './auth/settings.ts';
import { bootstrap } from './bootstrap/bootstrap.ts';
import { openDataDirectory } from './data-directory/data-directory.ts';
import { DiskGuard, type DiskOptions, diskOf } from './database/disk-guard.ts';
import { explainDamage } from './database/explain-damage.ts';
import { applyMigrations } from './database/migrations.ts';
import { openEngine } from './database/open-engine.ts';
import { setMessagesPerSecond } from './database/plan-messages.ts';
import { purgeTrashHourly } from './database/purge-trash.ts';
import type { Engine } from './engine.ts';
import type { Fetch } from './fetch.ts';
import { type Keys, makeKeys } from './keys/keys.ts';
import { openRestApi } from './rest/rest-api.ts';
import type { FileStore } from './storage/file-store.ts';
import { type Storage, openStorage } from './storage/open-storage.ts';

export type DatabaseOptions = {
  /** The data directory; null: a temporary folder, removed by `close`. */
  readonly dir: string | null;
  /** A PostgreSQL to use instead of the bundled one; keys and files stay in `dir`. */
  readonly databaseUrl?: string | undefined;
  readonly auth?: Partial<AuthSettings>;
  /** Folder of the migrations; Weft's own by default. Null: applies none. */
  readonly migrationsDir?: string | null;
  /** The limit of Realtime. */
  readonly messagesPerSecond?: number | undefined;
  /** The disk to watch; by default that of the bundled database. */
  readonly disk?: DiskOptions;
  /** Gets lines for the operator; standard error by default. */
  readonly log?: (line: string) => void;
};

export type Database = {
  readonly pg: Engine;
  /** For other SQL clients, such as psql. */
  readonly url: string;
  /** The API without HTTP: `/auth/v1`, `/rest/v1` and `/storage/v1`. */
  readonly fetch: Fetch;
  readonly keys: Keys;
  readonly mailbox: Mailbox;
  readonly files: FileStore;
  /** Sets the address in email links and tokens; "http://127.0.0.1:4400" until then. */
  setOrigin(origin: string): void;
  /** Call it when tables or functions have changed. */
  reloadSchema(): void;
  close(): Promise<void>;
};

export const MIGRATIONS_DIR = join(import.meta.dirname, '../supabase/migrations');

/** Throws a `StartError` if the data directory or the database cannot be used. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dir, databaseUrl, migrationsDir = MIGRATIONS_DIR } = options;
  const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const data =
    dir === null ? null : { dir, ...(await openDataDirectory(dir, { hasDatabase: databaseUrl === undefined, log })) };
  const temporaryFiles = join(tmpdir(), `weft-files-${randomUUID()}`);
  const settings = { ...DEFAULT_AUTH_SETTINGS, ...options.auth };
  const passwords = new Passwords(settings.passwordCost);
  let storage: Storage | null = null;
  let stopPurging = async (): Promise<void> => undefined;
  const releaseResources = async () => {
    await passwords.close();
    if (data === null) await rm(temporaryFiles, { recursive: true, force: true });
    else data.release();
  };
  const keys: Keys = data?.keys ?? makeKeys();
  const cluster = data?.cluster ?? null;
  const explained = (error: unknown) => (cluster === null ? error : explainDamage(error, cluster.dir));
  const opened = await openEngine({
    databaseUrl,
    data: cluster === null || dir === null ? null : { dir, cluster },
    migrationsDir,
    log,
  }).catch(async (error: unknown) => {
    await releaseResources();
    throw explained(error);
  });
  // The operator watches the disk of their own PostgreSQL.
  const disk = options.disk ?? (cluster === null ? null : diskOf(cluster.dir, log));
  const guard = disk === null ? null : new DiskGuard(opened.engine, disk);
  const pg = guard?.engine ?? opened.engine;
  const close = async () => {
    await stopPurging();
    await storage?.close();
    await guard?.close();
    await opened.close();
    await releaseResources();
  };
  try {
    const mailbox = new Mailbox();
    let origin = 'http://127.0.0.1:4400';
    await bootstrap(pg);
    if (migrationsDir !== null) {
      await applyMigrations(pg, migrationsDir);
      await setMessagesPerSecond(pg, options.messagesPerSecond ?? EMBEDDED_MESSAGES_PER_SECOND);
    }
    await pg.learnTypes();
    const filesDir = dir === null ? temporaryFiles : join(dir, opened.filesName);
    storage = await openStorage({ engine: pg, filesDir, keys });
    const auth = new Auth({ pg, keys, mailbox, passwords, origin: () => origin, settings });
    const rest = await openRestApi({ pg, keys });
    if (migrationsDir !== null) stopPurging = purgeTrashHourly(pg);
    return {
      pg,
      url: opened.url,
      fetch: createApi({ auth, rest: rest.fetch, storage: storage.fetch }),
      keys,
      mailbox,
      files: storage.files,
      setOrigin: (newOrigin) => {
        origin = newOrigin;
      },
      reloadSchema: rest.reloadSchema,
      close,
    };
  } catch (error) {
    await close();
    throw explained(error);
  }
}
