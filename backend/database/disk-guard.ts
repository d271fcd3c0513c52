// Makes the database read-only while the disk is nearly full, and reports that. PostgreSQL crashes if it cannot write its
// write-ahead log, and does not start again until there is room; read-only, it keeps answering.
import { statfs } from 'node:fs/promises';
import type { Engine, Transaction } from '../engine.ts';
import { DatabaseError } from '../engine/database-error.ts';

export type DiskOptions = {
  /** Free space on the disk. */
  readonly freeBytes: () => Promise<number>;
  /** With less free space the disk counts as full. A checkpoint, the log of running requests and a few bodies must fit. */
  readonly reserveBytes: number;
  readonly intervalMs: number;
  readonly log: (line: string) => void;
};

const RESERVE_BYTES = 96 * 1024 * 1024;
const INTERVAL_MS = 500;
/** Writing resumes only with this factor more space, so that the guard does not flip back and forth. */
const RESUME_FACTOR = 1.25;
const DISK_FULL = 'could not write: the disk of the server is full, nothing was changed';
const READ_ONLY = '25006';

export const diskOf = (dir: string, log: (line: string) => void): DiskOptions => ({
  freeBytes: async () => {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  },
  reserveBytes: RESERVE_BYTES,
  intervalMs: INTERVAL_MS,
  log,
});

export class DiskGuard {
  readonly #engine: Engine;
  readonly #options: DiskOptions;
  #isFull = false;
  /** Why the free space is not known, as it was last reported; '' while it is known. */
  #problem = '';
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> = Promise.resolve();

  constructor(engine: Engine, options: DiskOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#schedule();
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The engine, with errors that name the full disk. */
  get engine(): Engine {
    const inner = this.#engine;
    const explained = <T>(result: Promise<T>): Promise<T> => result.catch((error: unknown) => this.#explain(error));
    return {
      query: (sql, params) => explained(inner.query(sql, params)),
      exec: (sql) => explained(inner.exec(sql)),
      queryAs: (settings, sql, params) => explained(inner.queryAs(settings, sql, params)),
      transaction: <T>(run: (tx: Transaction) => Promise<T>) =>
        inner.transaction((tx) =>
          run({
            query: (sql, params) => explained(tx.query(sql, params)),
            exec: (sql) => explained(tx.exec(sql)),
            set: (settings) => tx.set(settings),
            rollback: () => tx.rollback(),
          }),
        ),
      listen: (channel, onNotify) => inner.listen(channel, onNotify),
      onGap: (listener) => inner.onGap(listener),
      learnTypes: () => inner.learnTypes(),
      setReadOnly: (isReadOnly) => inner.setReadOnly(isReadOnly),
      get closed() {
        return inner.closed;
      },
      close: () => inner.close(),
    };
  }

  async close(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#checking;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.#check().finally(() => this.#schedule());
    }, this.#options.intervalMs);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    const { freeBytes, reserveBytes, log } = this.#options;
    try {
      const free = await freeBytes();
      this.#problem = '';
      const isFull = free < (this.#isFull ? reserveBytes * RESUME_FACTOR : reserveBytes);
      if (isFull === this.#isFull) return;
      this.#isFull = isFull;
      this.#engine.setReadOnly(isFull);
      log(
        isFull
          ? `The disk has only ${megabytes(free)} MB left: Weft writes nothing until ${megabytes(reserveBytes * RESUME_FACTOR)} MB are free. Acknowledged edits are safe.`
          : 'The disk has room again: Weft writes again.',
      );
    } catch (error) {
      const problem = String(error);
      // Each check fails in the same way, twice a second.
      if (problem !== this.#problem) log(`the free space of the disk is not known: ${problem}`);
      this.#problem = problem;
    }
  }

  /** A GET that writes fails with the same code. Only while the disk is full does the code mean the disk. */
  #explain(error: unknown): never {
    if (!this.#isFull || !(error instanceof DatabaseError) || error.code !== READ_ONLY) throw error;
    throw new DatabaseError({ code: '53100', message: DISK_FULL, severity: 'ERROR' });
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / (1024 * 1024));
