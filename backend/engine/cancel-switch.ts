// How the thread that waits cancels a statement of the thread that runs it, and never another one: both look at one word of
// shared memory that says which job runs. Knows nothing of messages.

const STATE = 0;
const DEADLINE = 1;
/** States beside the number of the job that runs. */
const IDLE = 0;
const CANCELLING = -1;
const CANCELLED = -2;

/** Milliseconds on a clock that all threads share and nobody sets, in 31 bits. */
const clock = (): number => Number((process.hrtime.bigint() / 1_000_000n) & 0x7fffffffn);

export const newSwitch = (): SharedArrayBuffer => new SharedArrayBuffer(8);

/** Postgres' own flags, as its signal handler sets them: words of its memory, by their byte address. */
export type InterruptFlags = {
  readonly memory: SharedArrayBuffer;
  readonly queryCancelPending: number;
  readonly interruptPending: number;
};

/** The running thread's side. */
export class RunningSide {
  readonly #words: Int32Array;
  readonly #flags: InterruptFlags;
  constructor(shared: SharedArrayBuffer, flags: InterruptFlags) {
    this.#words = new Int32Array(shared);
    this.#flags = flags;
  }

  /** `job` is above zero; `limitMs` null: as long as it takes. */
  begin(job: number, limitMs: number | null): void {
    Atomics.store(this.#words, DEADLINE, limitMs === null ? -1 : (clock() + limitMs) & 0x7fffffff);
    Atomics.store(this.#words, STATE, job);
  }

  /** True when it was cancelled, whether that reached it in time or not. */
  end(job: number): boolean {
    if (Atomics.compareExchange(this.#words, STATE, job, IDLE) === job) return false;
    // The other side is between its decision and the flags: a matter of nanoseconds.
    while (Atomics.load(this.#words, STATE) === CANCELLING);
    setFlags(this.#flags, 0);
    Atomics.store(this.#words, STATE, IDLE);
    return true;
  }
}

/** The waiting thread's side. */
export class WaitingSide {
  readonly #words: Int32Array;
  readonly #flags: InterruptFlags;
  constructor(shared: SharedArrayBuffer, flags: InterruptFlags) {
    this.#words = new Int32Array(shared);
    this.#flags = flags;
  }

  /** Cancels what has run for too long. Which job that was, null for none. */
  cancelOverdue(): number | null {
    const job = Atomics.load(this.#words, STATE);
    const deadline = Atomics.load(this.#words, DEADLINE);
    if (job <= IDLE || deadline < 0 || ((clock() - deadline) & 0x7fffffff) > 0x3fffffff) return null;
    if (Atomics.compareExchange(this.#words, STATE, job, CANCELLING) !== job) return null;
    setFlags(this.#flags, 1);
    Atomics.store(this.#words, STATE, CANCELLED);
    return job;
  }
}

function setFlags({ memory, queryCancelPending, interruptPending }: InterruptFlags, value: 0 | 1): void {
  const words = new Int32Array(memory);
  Atomics.store(words, queryCancelPending >> 2, value);
  Atomics.store(words, interruptPending >> 2, value);
}
