// PGlite as an engine, in a thread of its own: whatever a statement takes, this thread goes on. A statement that runs for
// longer than its role may is cancelled inside Postgres; where that does not reach it, the thread is ended and the
// database opened anew, which it survives as it survives SIGKILL.
import { setTimeout as delay } from 'node:timers/promises';
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
import { unavailable } from './database-error.ts';
import { PgliteThread } from './pglite-thread.ts';
import { ARRAY_TYPES_QUERY, RowDecoder } from './values.ts';
import type { Result, Work } from './worker-messages.ts';

export type PgliteOptions = {
  /** Null: in memory, gone at `close`. */
  readonly dir: string | null;
  /** In memory: a database made before, by `image()`. */
  readonly image?: Blob | undefined;
  readonly limits?: StatementLimits | undefined;
  /** How long a cancelled statement may go on before its thread is ended. */
  readonly stubbornMs?: number | undefined;
};

const STUBBORN_MS = 10_000;
const REOPEN_MS = 1_000;
const CLOSED = 'The database is closed.';

/** Rejects when the database cannot be opened. */
export async function openPgliteEngine(options: PgliteOptions): Promise<PgliteEngine> {
  const engine = new PgliteEngine(options);
  await engine.open(options.image === undefined ? null : new Uint8Array(await options.image.arrayBuffer()));
  return engine;
}

export class PgliteEngine implements Engine {
  readonly #options: PgliteOptions;
  readonly #limits: StatementLimits;
  readonly #decoder = new RowDecoder();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #gapListeners = new Set<() => void>();
  #thread: PgliteThread | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: PgliteOptions) {
    this.#options = options;
    this.#limits = options.limits ?? STATEMENT_LIMITS;
  }

  get closed(): boolean {
    return this.#closing !== null;
  }

  async open(image: Uint8Array<ArrayBuffer> | null): Promise<void> {
    const { dir, stubbornMs = STUBBORN_MS } = this.#options;
    const thread = await PgliteThread.open({
      dir,
      image,
      // In memory nothing would be left to open.
      stubbornMs: dir === null ? null : stubbornMs,
      onNotify: (channel, payload) => {
        for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
      },
    });
    for (const channel of this.#listeners.keys()) await thread.send({ kind: 'listen', channel });
    this.#thread = thread;
    await this.learnTypes();
    void thread.gone.then(() => this.#reopen());
  }

  async learnTypes(): Promise<void> {
    this.#decoder.learnArrays((await this.#send({ kind: 'query', sql: ARRAY_TYPES_QUERY, params: [] })).rows);
  }

  async query<R>(sql: string, params: unknown[] = []): Promise<QueryResult<R>> {
    return this.#decode(await this.#send({ kind: 'query', sql, params }, this.#limits.own));
  }

  async queryAs<R>(settings: Settings, sql: string, params: unknown[] = []): Promise<QueryResult<R>> {
    const limit = limitOf(this.#limits, settings['role']);
    return this.#decode(await this.#send({ kind: 'queryAs', settings, sql, params }, limit));
  }

  async exec(sql: string): Promise<void> {
    await this.#send({ kind: 'exec', sql });
  }

  async transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    const thread = this.#open();
    const id = thread.number();
    // Its statements queue up behind it, and the database does not wait for this thread in between.
    const begun = thread.send({ kind: 'begin' }, id);
    begun.catch(() => {});
    let ended: Promise<Result> | null = null;
    const end = (kind: 'commit' | 'rollback') => (ended ??= thread.send({ kind }, id));
    let limit = this.#limits.own;
    const send = (work: Work, limitMs: number | null) =>
      ended === null ? thread.send(work, id, limitMs) : Promise.reject(new Error('The transaction has ended.'));
    const tx: Transaction = {
      query: async (sql, params = []) => this.#decode(await send({ kind: 'query', sql, params }, limit)),
      exec: async (sql) => void (await send({ kind: 'exec', sql }, null)),
      set: async (settings) => {
        const role = settings['role'];
        if (role !== undefined) limit = limitOf(this.#limits, role);
        await send({ kind: 'query', ...settingsQuery(settings) }, null);
      },
      rollback: async () => void (await end('rollback')),
    };
    let value: T;
    try {
      value = await run(tx);
    } catch (error) {
      await end('rollback').catch(() => {});
      throw error;
    }
    await end('commit');
    return value;
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onNotify));
    await this.#send({ kind: 'listen', channel });
    return async () => {
      listeners.delete(onNotify);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners || this.closed) return;
      this.#listeners.delete(channel);
      await this.#send({ kind: 'unlisten', channel });
    };
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  /** All of it as one file. */
  async image(): Promise<Blob> {
    return new Blob([await this.#open().image()]);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const thread = this.#thread;
      // Gone already: nothing is left to be closed.
      await thread?.send({ kind: 'close' }).catch(() => {});
      await thread?.end();
    })();
    return this.#closing;
  }

  #open(): PgliteThread {
    if (this.closed || this.#thread === null) throw unavailable(CLOSED);
    return this.#thread;
  }

  async #send(work: Work, limitMs: number | null = null): Promise<Result> {
    return this.#open().send(work, null, limitMs);
  }

  #decode<R>({ columns, rows, affectedRows }: Result): QueryResult<R> {
    return { rows: this.#decoder.rows<R>(columns, rows), affectedRows };
  }

  async #reopen(): Promise<void> {
    // What was in memory is lost with its thread: there is nothing to go on with.
    while (!this.closed && this.#options.dir !== null) {
      try {
        await this.open(null);
        if (this.closed) await this.#thread?.end();
        for (const listener of this.#gapListeners) listener();
        return;
      } catch (error) {
        process.stderr.write(`the database cannot be opened: ${String(error)}\n`);
        await delay(REOPEN_MS);
      }
    }
  }
}
