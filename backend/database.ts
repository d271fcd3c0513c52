// A database with what a hosted Supabase project has before its first migration, @supabase/lite on top of it with our
// repairs, and Weft's migrations applied. Knows no HTTP server; server.ts puts one in front.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@supabase/lite';
import { createApi } from './api.ts';
import { bootstrap } from './bootstrap/bootstrap.ts';
import { Auth } from './auth/auth.ts';
import { Passwords } from './auth/passwords.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from './auth/settings.ts';
import { openDataDirectory } from './data-directory.ts';
import type { Engine } from './engine.ts';
import { DiskGuard, type DiskOptions, diskOf } from './disk-space.ts';
import { acceptJwtKeys } from './keys/jwt-keys.ts';
import { type Keys, makeKeys } from './keys/keys.ts';
import type { EngineConnection } from './lite/engine-connection.ts';
import { mapErrors } from './lite/error-mapping.ts';
import type { Fetch } from './http/fetch.ts';
import { keepGrantsAsTheyAre } from './lite/no-regrant.ts';
import { quietLog } from './lite/quiet-log.ts';
import { Mailbox } from './auth/mailbox.ts';
import { applyMigrations } from './migrations.ts';
import { callerReader } from './rest/caller.ts';
import { FunctionCatalogue } from './rest/functions/function-catalogue.ts';
import { followSchema } from './rest/follow-schema.ts';
import { rpc } from './rest/functions/call-function.ts';
import { tableBodies } from './rest/table-bodies.ts';
import { TableCatalogue } from './rest/tables/table-catalogue.ts';
import type { FileStore } from './storage/file-store.ts';
import { openEngine } from './open-engine.ts';
import { checkRealtime } from './own-database.ts';
import { type Storage, openStorage } from './storage/open-storage.ts';

export type DatabaseOptions = {
  /** Where the data lives; null: in a temporary folder, gone at `close`. */
  readonly dir: string | null;
  /** A PostgreSQL that takes the place of the database in `dir`; keys and files stay there. */
  readonly databaseUrl?: string | undefined;
  /** Another Realtime server reads this database: its schema is left alone. */
  readonly foreignRealtime?: boolean | undefined;
  /** In place of the one in `dir`; API keys may then also be JWTs signed with it. */
  readonly jwtSecret?: string | undefined;
  readonly auth?: Partial<AuthSettings>;
  /** Folder of the migrations; Weft's own by default. Null: its tables are left as they are. */
  readonly migrationsDir?: string | null;
  /** How much room there is; by default asked of the disk of the database in `dir`. */
  readonly disk?: DiskOptions;
  /** What the operator should know; standard error by default. */
  readonly log?: (line: string) => void;
};

export type Database = {
  readonly pg: Engine;
  /** Where other SQL clients connect. */
  readonly url: string;
  readonly connection: EngineConnection;
  readonly app: App;
  /** The API without HTTP: what `/auth/v1`, `/rest/v1` and `/storage/v1` answer. */
  readonly fetch: Fetch;
  readonly keys: Keys;
  readonly mailbox: Mailbox;
  readonly files: FileStore;
  /** Tells links in mails and tokens where people reach this backend; "http://127.0.0.1:4400" until then. */
  setOrigin(origin: string): void;
  close(): Promise<void>;
};

export const MIGRATIONS_DIR = join(import.meta.dirname, '../supabase/migrations');

/** Throws a `StartError` when the directory cannot be used. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dir, databaseUrl, foreignRealtime = false, jwtSecret, migrationsDir = MIGRATIONS_DIR } = options;
  const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const data =
    dir === null ? null : { dir, ...(await openDataDirectory(dir, { hasDatabase: databaseUrl === undefined, log })) };
  const temporaryFiles = join(tmpdir(), `weft-files-${randomUUID()}`);
  const restoreLog = quietLog();
  const settings = { ...DEFAULT_AUTH_SETTINGS, ...options.auth };
  const passwords = new Passwords(settings.passwordCost);
  let storage: Storage | null = null;
  const giveBack = async () => {
    await passwords.close();
    if (data === null) await rm(temporaryFiles, { recursive: true, force: true });
    else data.release();
    restoreLog();
  };
  const ownKeys = data?.keys ?? (await makeKeys());
  const keys: Keys = jwtSecret === undefined ? ownKeys : { ...ownKeys, jwtSecret };
  const cluster = data?.cluster ?? null;
  const opening = openEngine({
    databaseUrl,
    data: cluster === null || dir === null ? null : { dir, cluster },
    migrationsDir,
    log,
  });
  // While PostgreSQL starts, this thread loads what takes it longest.
  const loading = Promise.all([import('@supabase/lite'), import('./lite/engine-connection.ts')]);
  const opened = await opening.catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  // An operator's PostgreSQL looks after its own disk.
  const disk = options.disk ?? (cluster === null ? null : diskOf(cluster.dir, log));
  const guard = disk === null ? null : new DiskGuard(opened.engine, disk);
  const pg = guard?.engine ?? opened.engine;
  const close = async () => {
    await storage?.close();
    await guard?.close();
    await opened.close();
    await giveBack();
  };
  try {
    const [{ App }, { EngineConnection }] = await loading;
    const connection = new EngineConnection(pg);
    keepGrantsAsTheyAre(connection);
    mapErrors(connection);
    const mailbox = new Mailbox();
    let origin = 'http://127.0.0.1:4400';
    const app = new App({
      connection,
      auth: {
        enabled: true,
        jwt_secret: keys.jwtSecret,
        jwt_expiry: settings.tokenSeconds,
        publishable_key: keys.anonKey,
        secret_key: keys.serviceRoleKey,
        site_url: origin,
        minimum_password_length: settings.minPasswordLength,
        enable_anonymous_sign_ins: true,
        email: { enable_confirmations: settings.confirmEmails },
      },
      // A token that is none is refused; without this it would count as nobody's. Keys alone are enough all the same.
      api: { anonymous_enabled: false },
      storage: { enabled: false },
      options: {
        // No admin mode: behind it, requests without a key run as service_role.
        server: { admin: false, disableStudio: true },
        drivers: {
          email: { send: async ({ to, subject, text = '' }) => mailbox.add({ to, subject, text }) },
        },
      },
    });
    await app.init();
    if (foreignRealtime) await checkRealtime(pg);
    await bootstrap(pg, app, { withRealtime: !foreignRealtime });
    if (migrationsDir !== null) await applyMigrations(pg, migrationsDir);
    await pg.learnTypes();
    await connection.clearSchemaCache();
    const functions = new FunctionCatalogue(pg, 'public');
    const tables = new TableCatalogue(pg, 'public');
    await followSchema(connection, pg, [functions, tables]);

    const filesDir = dir === null ? temporaryFiles : join(dir, opened.filesName);
    storage = await openStorage({ engine: pg, filesDir, keys });
    const auth = new Auth({ pg, keys, mailbox, passwords, origin: () => origin, settings });
    const readCaller = callerReader(keys);
    const api = createApi({
      app,
      auth,
      rpc: rpc({ pg, readCaller, functions }),
      tableBodies: tableBodies({ pg, readCaller, tables }),
      storage: storage.fetch,
    });
    const fetch = jwtSecret === undefined ? api : acceptJwtKeys(keys)(api);
    const setOrigin = (found: string) => {
      origin = found;
      Reflect.set(app.config.auth, 'site_url', found);
    };
    return {
      pg,
      url: opened.url,
      connection,
      app,
      fetch,
      keys,
      mailbox,
      files: storage.files,
      setOrigin,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
