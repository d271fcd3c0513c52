// The one connection that listens for notifications. It also holds the advisory lock that keeps other Wefts out. If it is
// lost, it reconnects and reports a gap, because notifications in between are lost.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error.ts';

const RETRY_MS = 500;
/** A connection that died silently is noticed after about twice this time. */
const PING_MS = 15_000;
/** "weft" as a number: an advisory lock of this database. */
const LOCK = 0x77656674;
const TAKEN = 'Another Weft uses this database; stop it first, or name another database.';

export class PostgresListener {
  readonly #url: string;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #gapListeners = new Set<() => void>();
  #client: pg.Client | null = null;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects if the database cannot be reached, or if another Weft uses it. */
  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: 'weft (listening)',
      query_timeout: PING_MS,
    });
    // `end` follows every error, and handles it.
    client.on('error', () => {});
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
    });
    try {
      await client.connect();
      // Otherwise the server would hold the lock of a vanished client for hours.
      await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [LOCK]);
      if (rows[0]?.got !== true) throw new StartError(TAKEN);
      for (const channel of this.#listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    const ping = setInterval(() => {
      client.query('select 1').catch(() => client.end().catch(() => {}));
    }, PING_MS);
    ping.unref();
    client.once('end', () => {
      clearInterval(ping);
      this.#client = null;
      if (!this.#closed) void this.#reopen();
    });
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onNotify));
    // Without a connection, `open` listens when there is one again.
    await this.#client?.query(`listen ${pg.escapeIdentifier(channel)}`);
    return async () => {
      listeners.delete(onNotify);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      await this.#client?.query(`unlisten ${pg.escapeIdentifier(channel)}`);
    };
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }

  async #reopen(): Promise<void> {
    process.stderr.write('database: the connection was lost\n');
    while (!this.#closed) {
      await delay(RETRY_MS);
      try {
        await this.open();
        if (this.#closed) return await this.close();
        process.stderr.write('database: connected again\n');
        for (const listener of this.#gapListeners) listener();
        return;
      } catch {
        // It tries again; calls in between fail with 57P01.
      }
    }
  }
}
