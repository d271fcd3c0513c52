// Gap: @supabase/lite 0.10.0 sends BEGIN … COMMIT to the one PGlite connection without holding PGlite's lock, so two
// requests in flight share a transaction and one runs under the other's role. Here every kysely transaction runs inside
// one of the engine's: requests, our Realtime and our own queries cannot interleave.
import type { PgliteConnection } from '@supabase/lite/pglite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { assert } from '../../src/lib/assert.ts';
import type { Engine, Transaction } from '../engine.ts';
import { quoteArgumentNames } from './argument-names.ts';
import { fillEmptyRows } from './empty-rows.ts';
import { fromExactText } from './exact-text.ts';

/** Call once, right after the connection was made and before an `App` sees it. */
export function lockTransactions(connection: PgliteConnection, engine: Engine): void {
  connection.kysely = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new LockingDriver(engine),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

type OpenTransaction = {
  readonly tx: Transaction;
  /** Lets the transaction's callback return: it commits unless rolled back before. */
  readonly finish: () => void;
  readonly done: Promise<void>;
};

/** What lite runs some ten times per request, one round trip each; folded into one statement in front of the next query. */
const SET_LOCAL = /^\s*SELECT set_config\('([\w.]+)', (\$1|''), true\)\s*$/;

class LockingConnection implements DatabaseConnection {
  open: OpenTransaction | null = null;
  readonly #engine: Engine;
  readonly #settings = new Map<string, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const setting = this.open === null ? null : SET_LOCAL.exec(query.sql);
    if (setting?.[1] !== undefined) {
      this.#settings.set(setting[1], setting[2] === '$1' ? String(query.parameters[0]) : '');
      return { rows: [] };
    }
    if (this.open !== null) await this.#flushSettings(this.open.tx);
    const sql = fillEmptyRows(quoteArgumentNames(query.sql));
    const result = await (this.open?.tx ?? this.#engine).query<R>(sql, query.parameters.map(fromExactText));
    return result.affectedRows === undefined
      ? { rows: result.rows }
      : { rows: result.rows, numAffectedRows: BigInt(result.affectedRows) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Nothing is streamed.');
  }

  forgetSettings(): void {
    this.#settings.clear();
  }

  async #flushSettings(tx: Transaction): Promise<void> {
    if (this.#settings.size === 0) return;
    const settings = Object.fromEntries(this.#settings);
    this.#settings.clear();
    await tx.set(settings);
  }
}

class LockingDriver implements Driver {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async releaseConnection(): Promise<void> {}

  async acquireConnection(): Promise<LockingConnection> {
    return new LockingConnection(this.#engine);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const locking = own(connection);
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const { promise: started, resolve: start, reject: refuse } = Promise.withResolvers<Transaction>();
    const done = this.#engine.transaction((tx) => {
      start(tx);
      return finished;
    });
    // Rejects before `start` when the engine is closed or closing; later only the one who awaits `done` wants to know.
    done.catch(refuse);
    locking.open = { tx: await started, finish, done };
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { finish, done } = take(own(connection));
    finish();
    await done;
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const locking = own(connection);
    // After a COMMIT that was refused kysely asks for this too; it has been rolled back by then.
    if (locking.open === null) return;
    const { tx, finish, done } = take(locking);
    try {
      await tx.rollback();
    } finally {
      finish();
      await done;
    }
  }
}

function own(connection: DatabaseConnection): LockingConnection {
  assert(connection instanceof LockingConnection, 'kysely hands back the connections this driver made');
  return connection;
}

function take(connection: LockingConnection): OpenTransaction {
  const { open } = connection;
  assert(open !== null, 'a transaction is open');
  connection.open = null;
  connection.forgetSettings();
  return open;
}
