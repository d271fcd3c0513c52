// One PGlite with what a hosted Supabase project has before its first migration, @supabase/lite on top of it with our
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
import { prepareUpgrade } from './upgrade.ts';
import { keepVacuumed } from './vacuum.ts';

export type DatabaseOptions = {
  /** Where the data lives; null: in memory, gone at `close`. */
  readonly dir: string | null;
  /** A PostgreSQL that takes the place of the database in `dir`; keys and files stay there. */
  readonly databaseUrl?: string | undefined;
  /** Another Realtime server reads this database: its schema is left alone. */
  readonly foreignRealtime?: boolean | undefined;
  /** In place of the one in `dir`; API keys may then also be JWTs signed with it. */
  readonly jwtSecret?: string | undefined;
  /** For `dir: null`: a database made before by the same code (`image()`), so that none has to be created. */
  readonly image?: Blob;
  readonly auth?: Partial<AuthSettings>;
  /** Folder of the migrations; Weft's own by default. Null: its tables are left as they are. */
  readonly migrationsDir?: string | null;
  /** How much room there is; asked of the directory's disk by default, and not in memory. */
  readonly disk?: DiskOptions;
  /** What the operator should know; standard error by default. */
  readonly log?: (line: string) => void;
};

export type Database = {
  readonly pg: Engine;
  readonly connection: EngineConnection;
  readonly app: App;
  /** The API without HTTP: what `/auth/v1`, `/rest/v1` and `/storage/v1` answer. */
  readonly fetch: Fetch;
  readonly keys: Keys;
  readonly mailbox: Mailbox;
  readonly files: FileStore;
  /** Tells links in mails and tokens where people reach this backend; "http://127.0.0.1:4400" until then. */
  setOrigin(origin: string): void;
  /** All of it as one file, for `DatabaseOptions.image`. */
  image(): Promise<Blob>;
  close(): Promise<void>;
};

export const MIGRATIONS_DIR = join(import.meta.dirname, '../supabase/migrations');

/** Throws a `StartError` when the directory cannot be used. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const place = options.dir === null ? await openMemory() : await openDataDirectory(options.dir);
  const restoreLog = quietLog();
  const settings = { ...DEFAULT_AUTH_SETTINGS, ...options.auth };
  const passwords = new Passwords(settings.passwordCost);
  let storage: Storage | null = null;
  const giveBack = async () => {
    await passwords.close();
    await place.release();
    restoreLog();
  };
  const { databaseUrl, foreignRealtime = false, image, jwtSecret } = options;
  const keys: Keys = jwtSecret === undefined ? place.keys : { ...place.keys, jwtSecret };
  const opening = openEngine({ databaseUrl, postgresDir: place.postgresDir, image });
  // While the database opens in its thread, this one loads what takes it longest.
  const loading = Promise.all([import('@supabase/lite'), import('./lite/engine-connection.ts')]);
  const opened = await opening.catch(async (error: unknown) => {
    await giveBack();
    throw error;
  });
  const log = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  // A PostgreSQL looks after its own disk, and vacuums itself.
  const isOwn = databaseUrl === undefined;
  const room = options.disk ?? (options.dir === null || !isOwn ? null : diskOf(options.dir, log));
  const guard = room === null ? null : new DiskGuard(opened.engine, room);
  const pg = guard?.engine ?? opened.engine;
  const endVacuum = isOwn ? keepVacuumed(pg, { log }) : null;
  const close = async () => {
    await storage?.close();
    await endVacuum?.();
    await guard?.close();
    await pg.close();
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
    const { migrationsDir = MIGRATIONS_DIR } = options;
    if (migrationsDir !== null)
      await prepareUpgrade(pg, { migrationsDir, postgresDir: isOwn ? place.postgresDir : null, log });
    await app.init();
    if (foreignRealtime) await checkRealtime(pg);
    await bootstrap(pg, app, { withRealtime: !foreignRealtime });
    if (migrationsDir !== null) await applyMigrations(pg, migrationsDir);
    await pg.learnTypes();
    await connection.clearSchemaCache();
    const functions = new FunctionCatalogue(pg, 'public');
    const tables = new TableCatalogue(pg, 'public');
    await followSchema(connection, pg, [functions, tables]);

    const filesDir = options.dir === null ? place.filesDir : join(options.dir, opened.filesName);
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
      connection,
      app,
      fetch,
      keys,
      mailbox,
      files: storage.files,
      setOrigin,
      image: opened.image,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openMemory() {
  const filesDir = join(tmpdir(), `weft-files-${randomUUID()}`);
  const release = () => rm(filesDir, { recursive: true, force: true });
  return { postgresDir: null, filesDir, keys: await makeKeys(), release };
}
