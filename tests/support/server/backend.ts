// A whole embedded backend in this process, over real HTTP on a free port, and supabase-js clients for people. Without a data
// directory it uses a new database on the PostgreSQL of the tests.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { type RunningServer, type ServerOptions, startServer } from '../../../backend/http/server.ts';
import { readEnvironment } from '../../../backend/start/environment.ts';
import { copyDatabase, dropDatabase, emptyDatabase } from '../database/databases.ts';

export type Person = { readonly id: string; readonly email: string; readonly client: SupabaseClient };

export const PASSWORD = 'correct horse battery';

export class TestBackend {
  readonly server: RunningServer;
  readonly #databaseUrl: string | null;
  readonly #clients: SupabaseClient[] = [];
  #people = 0;

  private constructor(server: RunningServer, databaseUrl: string | null) {
    this.server = server;
    this.#databaseUrl = databaseUrl;
  }

  static async start(given: Partial<ServerOptions> = {}): Promise<TestBackend> {
    // WEFT_PLAN=free runs the tests with the Realtime limits of that plan.
    const { plan } = readEnvironment({ WEFT_PLAN: process.env['WEFT_PLAN'] });
    const defaults = { port: 0, host: '127.0.0.1', dir: null, plan };
    // Cheap password hashes: expensive ones took a tenth of the time of all tests.
    const options = { ...given, auth: { passwordCost: 4, ...given.auth } };
    if (options.dir != null) return new TestBackend(await startServer({ ...defaults, ...options }), null);
    const databaseUrl = await (options.migrationsDir === undefined ? copyDatabase('backend') : emptyDatabase());
    return new TestBackend(await startServer({ ...defaults, ...options, databaseUrl }), databaseUrl);
  }

  get url(): string {
    return this.server.url;
  }

  /** The database itself. `pg.query(…)` runs as superuser, so no policy applies. */
  get pg() {
    return this.server.database.pg;
  }

  /** A client without a user. */
  anonClient(): SupabaseClient {
    return this.#client(this.server.anonKey);
  }

  /** A client that bypasses row level security. */
  serviceClient(): SupabaseClient {
    return this.#client(this.server.serviceRoleKey);
  }

  /** Creates an account and signs it in. */
  async signUp(email = `person${++this.#people}@example.com`, displayName = email.split('@')[0]): Promise<Person> {
    const client = this.anonClient();
    const { data, error } = await client.auth.signUp({
      email,
      password: PASSWORD,
      options: { data: { display_name: displayName } },
    });
    if (error !== null || data.user === null) throw new Error(`sign-up failed: ${error?.message}`);
    return { id: data.user.id, email, client };
  }

  /** Signs in a guest, who has no account. */
  async guest(displayName = 'Guest'): Promise<Person> {
    const client = this.anonClient();
    const { data, error } = await client.auth.signInAnonymously({ options: { data: { display_name: displayName } } });
    if (error !== null || data.user === null) throw new Error(`guest sign-in failed: ${error?.message}`);
    return { id: data.user.id, email: '', client };
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#clients.map(async (client) => {
        await client.auth.stopAutoRefresh();
        await client.realtime.disconnect();
      }),
    );
    await this.server.close();
    if (this.#databaseUrl !== null) await dropDatabase(this.#databaseUrl);
  }

  #client(key: string): SupabaseClient {
    const client = createClient(this.url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
    this.#clients.push(client);
    return client;
  }
}

/** Call it in `beforeAll`, and `close()` in `afterAll`. */
export const startTestBackend = (options: Partial<ServerOptions> = {}): Promise<TestBackend> =>
  TestBackend.start(options);
