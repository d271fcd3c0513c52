// Runs jobs in a worker, one after the other, each with a deadline. A worker that misses the deadline is terminated and
// replaced. So a job may hang or take minutes: the page stays responsive, and the jobs behind it get their turn.
import * as v from 'valibot';
import { type Result, err, ok } from '../result.ts';

/**
 * `tooSlow`: it missed its deadline. `failed`: the worker did not load or broke. `cancelled`: by `close`, or by its
 * signal.
 */
export type JobFailure = 'tooSlow' | 'failed' | 'cancelled';

export type WorkerLimits = {
  /** A job may take this long. The time to load the worker does not count. */
  readonly deadlineMs: number;
  /**
   * Each miss halves the deadline of the next jobs, down to this, until none was missed for a while. Otherwise a page with
   * a hundred slow jobs would keep a processor busy for minutes.
   */
  readonly shortestDeadlineMs: number;
  /** How long a worker without jobs lives; 30 s if left out. */
  readonly idleMs?: number;
};

/** The part of a `Worker` that is used, so that tests can replace it. */
export type JobWorker = {
  postMessage(job: unknown): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
};

/** The first message of a worker: its code is loaded. */
export const READY = 'ready';

/** A worker whose script does not load in this time is given up. */
const LOAD_TIMEOUT_MS = 20_000;
/** A worker without jobs is terminated after this time, which frees its memory. */
const IDLE_MS = 30_000;
/** Missed deadlines are forgotten after this time without one. */
const FORGET_MISSES_MS = 10_000;
/** When a deadline has passed, an answer may already wait behind other work of the page. It gets this long to arrive. */
const GRACE_MS = 50;

type Waiting<Job, Answer> = {
  readonly job: Job;
  readonly signal: AbortSignal | null;
  readonly resolve: (result: Result<Answer, JobFailure>) => void;
};

export class DeadlineWorker<Job, Answer> {
  readonly #start: () => JobWorker;
  readonly #answer: v.GenericSchema<unknown, Answer>;
  readonly #limits: WorkerLimits;
  #queue: Waiting<Job, Answer>[] = [];
  #current: Waiting<Job, Answer> | null = null;
  #worker: JobWorker | null = null;
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #misses = 0;
  #lastMissAt = 0;

  /** A job has failed if its worker sends anything that does not fit the schema `answer`. */
  constructor(start: () => JobWorker, answer: v.GenericSchema<unknown, Answer>, limits: WorkerLimits) {
    this.#start = start;
    this.#answer = answer;
    this.#limits = limits;
  }

  /** Never rejects. A job whose signal is aborted before its turn is dropped. */
  run(job: Job, signal: AbortSignal | null = null): Promise<Result<Answer, JobFailure>> {
    return new Promise((resolve) => {
      this.#queue.push({ job, signal, resolve });
      this.#next();
    });
  }

  /** Ends the worker and cancels what runs or waits. A later job starts a new one. */
  close(): void {
    const dropped = this.#current === null ? this.#queue : [this.#current, ...this.#queue];
    this.#current = null;
    this.#queue = [];
    this.#stop();
    for (const { resolve } of dropped) resolve(err('cancelled'));
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#queue = this.#queue.filter(({ signal, resolve }) => {
      if (signal?.aborted !== true) return true;
      resolve(err('cancelled'));
      return false;
    });
    if (this.#queue.length === 0) return this.#wait(this.#limits.idleMs ?? IDLE_MS, () => this.#stop());
    if (this.#worker === null) this.#load();
    else if (this.#isReady) this.#runFirst(this.#worker);
  }

  #load(): void {
    this.#isReady = false;
    this.#wait(LOAD_TIMEOUT_MS, () => this.#fail());
    let worker: JobWorker;
    try {
      worker = this.#start();
    } catch {
      // There are no workers here, as in a test without a browser.
      return this.#fail();
    }
    this.#worker = worker;
    // Messages of a worker that was replaced meanwhile are ignored.
    worker.addEventListener('message', ({ data }) => {
      if (this.#worker === worker) this.#received(data);
    });
    worker.addEventListener('error', () => {
      if (this.#worker === worker) this.#fail();
    });
  }

  #runFirst(worker: JobWorker): void {
    const first = this.#queue.shift();
    if (first === undefined) return;
    this.#current = first;
    this.#wait(this.#deadline(), () => this.#wait(GRACE_MS, () => this.#miss()));
    worker.postMessage(first.job);
  }

  #received(data: unknown): void {
    if (!this.#isReady) {
      this.#isReady = data === READY;
      return this.#next();
    }
    const answer = v.safeParse(this.#answer, data);
    this.#finish(answer.success ? ok(answer.output) : err('failed'));
  }

  #miss(): void {
    const now = performance.now();
    if (now - this.#lastMissAt > FORGET_MISSES_MS) this.#misses = 0;
    this.#misses += 1;
    this.#lastMissAt = now;
    this.#stop();
    this.#finish(err('tooSlow'));
  }

  /** The worker did not load, or broke: its job fails, or all of them if none was running. */
  #fail(): void {
    this.#stop();
    if (this.#current !== null) return this.#finish(err('failed'));
    const failed = this.#queue;
    this.#queue = [];
    for (const { resolve } of failed) resolve(err('failed'));
  }

  #finish(result: Result<Answer, JobFailure>): void {
    const done = this.#current;
    this.#current = null;
    done?.resolve(result);
    this.#next();
  }

  #deadline(): number {
    const { deadlineMs, shortestDeadlineMs } = this.#limits;
    const misses = performance.now() - this.#lastMissAt > FORGET_MISSES_MS ? 0 : this.#misses;
    return Math.max(shortestDeadlineMs, deadlineMs / 2 ** misses);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** One timer is enough: the worker loads, runs a job or is idle. */
  #wait(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, ms);
  }
}
