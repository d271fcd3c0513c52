// The engine on PostgreSQL: a pool of connections, one for each transaction, and one connection that listens. While the
// database cannot be reached, every call fails with 57P01; calls work again when it is back.
import pg from 'pg';
import {
  type Engine,
  type QueryResult,
  STATEMENT_LIMITS,
  type Settings,
  type StatementLimits,
  type Transaction,
  limitOf,
  settingsQuery,
} from '../engine.ts';
import { DatabaseError, fieldsOf, unavailable } from './database-error.ts';
import { ParameterTypes } from './parameter-types.ts';
import { PostgresListener } from './postgres-listener.ts';
import { ARRAY_TYPES_QUERY, RowDecoder, type TextRow, encodeValue, needsType } from './values.ts';

export type PostgresOptions = {
  readonly url: string;
  readonly limits?: StatementLimits | undefined;
};

const CONNECTIONS = 16;
const CONNECT_MS = 10_000;
const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY']);
/** node-postgres leaves values as text; values.ts decodes them. */
export const TEXT_ONLY: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value };

/** Rejects if the database cannot be reached. */
export async function openPostgresEngine(options: PostgresOptions): Promise<PostgresEngine> {
  const engine = new PostgresEngine(options);
  try {
    await engine.learnTypes();
    await engine.listener.open();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Carries an error of a transaction's callback to where the connection is given back. Its cause is thrown unchanged:
 * `databaseErrorOf` would take a file of ours that does not fit on the disk (ENOSPC) for a lost connection.
 */
class CallbackError extends Error {}

export class PostgresEngine implements Engine {
  readonly listener: PostgresListener;
  readonly #pool: pg.Pool;
  readonly #limits: StatementLimits;
  readonly #decoder = new RowDecoder();
  readonly #types = new ParameterTypes();
  /** Connections on which the server refuses writes. */
  readonly #readOnlyClients = new WeakSet<pg.PoolClient>();
  #isReadOnly = false;
  #closing: Promise<void> | null = null;

  constructor({ url, limits = STATEMENT_LIMITS }: PostgresOptions) {
    this.#limits = limits;
    this.listener = new PostgresListener(url);
    this.#pool = new pg.Pool({
      connectionString: url,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      types: TEXT_ONLY,
      keepAlive: true,
      application_name: 'weft',
    });
    // Errors of idle connections; the pool replaces them.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      // The pool handles errors of idle connections only. A connection that breaks while it is in use, or after the pool has
      // dropped it, would end the process (EPIPE of a rollback, seen when PostgreSQL is killed).
      client.on('error', () => {});
      // Fails only if the connection does; then its first user gets the error.
      client.query(`set time zone 'UTC'; set datestyle to 'ISO'; ${this.#limit(limits.own)}`).catch(() => {});
    });
  }

  get closed(): boolean {
    return this.#closing !== null;
  }

  async learnTypes(): Promise<void> {
    await this.#withClient(async (client) => {
      const { rows } = await client.query<string[]>({ text: ARRAY_TYPES_QUERY, rowMode: 'array' });
      this.#decoder.learnArrays(rows);
    });
  }

  query<R>(sql: string, params: unknown[] = []): Promise<QueryResult<R>> {
    return this.#withClient((client) => this.#run<R>(client, sql, params));
  }

  queryAs<R>(settings: Settings, sql: string, params: unknown[] = []): Promise<QueryResult<R>> {
    const limited = this.#limited(settings);
    // The values are literals, not parameters, so that the statement travels in one message with BEGIN.
    const set = Object.entries(limited).map(
      ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
    );
    return this.#withClient(async (client) => {
      await client.query(`begin; select ${set.join(', ')}`);
      const result = await this.#run<R>(client, sql, params);
      await client.query('commit');
      return result;
    });
  }

  exec(sql: string): Promise<void> {
    return this.#withClient(async (client) => {
      await client.query(this.#limit(0));
      await client.query(sql);
      await client.query(this.#limit(this.#limits.own));
    });
  }

  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      let isOpen = true;
      let limit = this.#limits.own;
      const guarded = async <V>(work: () => Promise<V>): Promise<V> => {
        if (!isOpen) throw new Error('The transaction has ended.');
        return asDatabaseError(work());
      };
      const end = async (how: 'commit' | 'rollback') => {
        if (!isOpen) return;
        isOpen = false;
        await asDatabaseError(client.query(how));
      };
      await client.query('begin');
      const value = await run({
        query: (sql, params = []) => guarded(() => this.#run(client, sql, params)),
        exec: (sql) =>
          guarded(async () => {
            await client.query(this.#limit(0, 'local'));
            await client.query(sql);
            await client.query(this.#limit(limit, 'local'));
          }),
        set: (settings) =>
          guarded(async () => {
            const role = settings['role'];
            if (role !== undefined) limit = limitOf(this.#limits, role);
            const { sql, params } = settingsQuery(this.#limited(settings));
            await client.query(sql, params);
          }),
        rollback: () => end('rollback'),
      }).catch((cause: unknown) => {
        throw new CallbackError('The callback of a transaction failed.', { cause });
      });
      await end('commit');
      return value;
    });
  }

  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    return this.listener.listen(channel, onNotify);
  }

  onGap(listener: () => void): () => void {
    return this.listener.onGap(listener);
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#isReadOnly = isReadOnly;
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.listener.close();
      await this.#pool.end();
    })();
    return this.#closing;
  }

  async #run<R>(client: pg.ClientBase, text: string, params: readonly unknown[]): Promise<QueryResult<R>> {
    const types = params.some(needsType) ? await this.#types.of(client, text) : [];
    const values = params.map((value, at) => encodeValue(value, types[at]));
    const result = await client.query<(string | null)[]>({ text, values, rowMode: 'array' });
    const rows: readonly TextRow[] = result.rows;
    const columns = result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
    return {
      rows: this.#decoder.rows<R>(columns, rows),
      affectedRows: WRITES.has(result.command) ? (result.rowCount ?? 0) : undefined,
    };
  }

  /** Runs `work` on a connection of the pool. After an error it rolls back; a broken connection is dropped from the pool. */
  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.closed) throw unavailable('The database is closed.');
    const client = await asDatabaseError(this.#pool.connect());
    try {
      await this.#applyReadOnly(client);
      const value = await work(client);
      client.release();
      return value;
    } catch (error) {
      const isUsable = await client.query(`rollback; ${this.#limit(this.#limits.own)}`).then(
        () => true,
        () => false,
      );
      client.release(!isUsable);
      throw error instanceof CallbackError ? error.cause : databaseErrorOf(error);
    }
  }

  async #applyReadOnly(client: pg.PoolClient): Promise<void> {
    const isReadOnly = this.#isReadOnly;
    if (this.#readOnlyClients.has(client) === isReadOnly) return;
    await client.query(`set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    if (isReadOnly) this.#readOnlyClients.add(client);
    else this.#readOnlyClients.delete(client);
  }

  #limited(settings: Settings): Settings {
    const role = settings['role'];
    return role === undefined ? settings : { ...settings, statement_timeout: String(limitOf(this.#limits, role)) };
  }

  #limit(ms: number, scope: 'local' | 'session' = 'session'): string {
    return `set ${scope} statement_timeout = ${ms}`;
  }
}

function asDatabaseError<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw databaseErrorOf(error);
  });
}

/** Errors that do not come from the database pass unchanged. */
function databaseErrorOf(error: unknown): unknown {
  if (error instanceof DatabaseError) return error;
  const fields = fieldsOf(error);
  if (fields !== null) {
    // 57P02 and 57P03: it crashed, or is still starting. Others, such as 3D000, keep their code, and so does what a function raises.
    const isAway = fields.severity === 'FATAL' && /^57P0[23]$/.test(fields.code);
    return isAway ? unavailable(fields.message) : new DatabaseError(fields);
  }
  return isOfConnection(error) ? unavailable(`The database cannot be reached: ${error.message}`) : error;
}

const isOfConnection = (error: unknown): error is Error =>
  error instanceof Error &&
  (('code' in error && /^E[A-Z]+$/.test(String(error.code))) ||
    error instanceof AggregateError ||
    /connection|timeout/i.test(error.message));
