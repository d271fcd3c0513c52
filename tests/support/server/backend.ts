// A whole embedded backend over real HTTP on a free port, and supabase-js clients of people who use it. Without a data
// directory it runs on a database of its own on the PostgreSQL of the tests.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { type RunningServer, type ServerOptions, startServer } from '../../../backend/http/server.ts';
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
    const place = { port: 0, host: '127.0.0.1', dir: null };
    // A tenth of all the suites' time went into passwords.
    const options = { ...given, auth: { passwordCost: 4, ...given.auth } };
    if (options.dir != null) return new TestBackend(await startServer({ ...place, ...options }), null);
    const databaseUrl = await (options.migrationsDir === undefined ? copyDatabase('backend') : emptyDatabase());
    return new TestBackend(await startServer({ ...place, ...options, databaseUrl }), databaseUrl);
  }

  get url(): string {
    return this.server.url;
  }

  /** The database itself, past every policy: `pg.query(…)` runs as superuser. */
  get pg() {
    return this.server.database.pg;
  }

  /** A client that nobody has signed in. */
  anonClient(): SupabaseClient {
    return this.#client(this.server.anonKey);
  }

  /** A client that passes row level security. */
  serviceClient(): SupabaseClient {
    return this.#client(this.server.serviceRoleKey);
  }

  /** Somebody with an account, signed in. */
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

  /** Somebody without an account, signed in as a guest. */
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

/** Call in `beforeAll`, `close()` in `afterAll`. */
export const startTestBackend = (options: Partial<ServerOptions> = {}): Promise<TestBackend> =>
  TestBackend.start(options);
