// One life of the thread that runs PGlite, seen from the thread that asks: sends it jobs, gives back what it says, and
// cancels what takes too long. What becomes of the database when the thread is gone is pglite.ts's matter.
import type { Worker } from 'node:worker_threads';
import { assert } from '../../src/lib/assert.ts';
import { WaitingSide, newSwitch } from './cancel-switch.ts';
import { DatabaseError, unavailable } from './database-error.ts';
import { takeWorker } from './spare-worker.ts';
import type { Job, Report, Result, Work, WorkerInput } from './worker-messages.ts';

export type ThreadOptions = Pick<WorkerInput, 'dir' | 'image'> & {
  readonly onNotify: (channel: string, payload: string) => void;
  /** A cancelled statement that goes on for so long ends the thread; null: never. */
  readonly stubbornMs: number | null;
};

/** How often is looked for what takes too long. */
const WATCH_MS = 100;
const GONE = 'The database was opened anew, because a statement did not end or the database failed.';

type Pending = { readonly resolve: (result: Result) => void; readonly reject: (error: Error) => void };

export class PgliteThread {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #cancelSwitch = newSwitch();
  readonly #pending = new Map<number, Pending>();
  readonly #images = new Map<number, ArrayBuffer>();
  #watcher: WaitingSide | null = null;
  #watching: NodeJS.Timeout | null = null;
  #stubborn: { readonly job: number; readonly since: number } | null = null;
  #jobs = 0;
  #isGone = false;
  /** Resolves when the thread has ended, in whatever way. */
  readonly gone: Promise<void>;

  private constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = takeWorker();
    const input: WorkerInput = { dir: options.dir, image: options.image, cancelSwitch: this.#cancelSwitch };
    this.#worker.postMessage(input);
    this.gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    void this.gone.then(() => this.#forget());
  }

  /** Rejects when the database cannot be opened. */
  static async open(options: ThreadOptions): Promise<PgliteThread> {
    const thread = new PgliteThread(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    thread.#worker.on('error', reject);
    thread.#worker.on('message', (report: Report) => {
      if (report.kind === 'ready') {
        thread.#watcher = new WaitingSide(thread.#cancelSwitch, report.flags);
        resolve();
      } else thread.#receive(report);
    });
    void thread.gone.then(() => reject(new Error('The thread of the database ended.')));
    await promise;
    return thread;
  }

  /** A number for a transaction or a job. */
  number(): number {
    return ++this.#jobs;
  }

  send(work: Work, transaction: number | null = null, limitMs: number | null = null): Promise<Result> {
    if (this.#isGone) return Promise.reject(unavailable(GONE));
    const job: Job = { id: this.number(), transaction, limitMs, work };
    // Throws when a parameter cannot be cloned.
    this.#worker.postMessage(job);
    this.#watching ??= setInterval(() => this.#watch(), WATCH_MS);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending.set(job.id, { resolve, reject });
    return promise;
  }

  async image(): Promise<ArrayBuffer> {
    await this.send({ kind: 'image' });
    const [[id, bytes] = []] = this.#images;
    assert(id !== undefined && bytes !== undefined, 'an image comes before the end of its job');
    this.#images.delete(id);
    return bytes;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(report: Exclude<Report, { readonly kind: 'ready' }>): void {
    if (report.kind === 'notification') return this.#options.onNotify(report.channel, report.payload);
    if (report.kind === 'image') return void this.#images.set(report.id, report.bytes);
    const pending = this.#pending.get(report.id);
    this.#pending.delete(report.id);
    if (this.#pending.size === 0) this.#stopWatching();
    if (report.kind === 'done') pending?.resolve(report.result);
    else pending?.reject(new DatabaseError(report.error));
    // Postgres would have ended its process: whatever is asked of the rest of it hangs. The database is opened anew.
    if (report.kind === 'failed' && report.error.severity === 'PANIC') void this.end();
  }

  #watch(): void {
    const job = this.#watcher?.cancelOverdue() ?? null;
    if (job !== null) this.#stubborn = { job, since: performance.now() };
    const { stubbornMs } = this.#options;
    if (this.#stubborn === null || stubbornMs === null) return;
    if (!this.#pending.has(this.#stubborn.job)) this.#stubborn = null;
    else if (performance.now() - this.#stubborn.since > stubbornMs) void this.end();
  }

  #stopWatching(): void {
    if (this.#watching !== null) clearInterval(this.#watching);
    this.#watching = null;
  }

  #forget(): void {
    this.#isGone = true;
    this.#stopWatching();
    const stubborn = this.#stubborn?.job;
    for (const [id, { reject }] of this.#pending) {
      reject(
        id === stubborn
          ? new DatabaseError({
              message: 'canceling statement due to statement timeout',
              code: '57014',
              severity: 'ERROR',
            })
          : unavailable(GONE),
      );
    }
    this.#pending.clear();
  }
}
