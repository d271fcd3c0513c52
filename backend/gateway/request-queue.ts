// Lets a few requests of each caller run at a time; further ones wait for their turn. Without it, requests that one program sends
// on hundreds of connections at once are all handled in one turn of the event loop, and everyone else waits until they are done.

type Waiting = { running: number; readonly queue: (() => void)[] };

export class RequestQueue {
  readonly #atOnce: number;
  /** Only callers with requests. */
  readonly #callers = new Map<string, Waiting>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get callers(): number {
    return this.#callers.size;
  }

  /** Resolves when a request may begin: at most `atOnce` of a caller's requests in one turn of the event loop. */
  turn(caller: string | null): Promise<void> {
    return this.run(caller, () => Promise.resolve());
  }

  /** Runs `work` when it is its turn. A null `caller` never waits. */
  async run<T>(caller: string | null, work: () => Promise<T>): Promise<T> {
    if (caller === null) return work();
    const waiting = this.#of(caller);
    if (waiting.running >= this.#atOnce) await new Promise<void>((resolve) => waiting.queue.push(resolve));
    else waiting.running++;
    try {
      return await work();
    } finally {
      this.#next(caller, waiting);
    }
  }

  #of(caller: string): Waiting {
    const waiting = this.#callers.get(caller) ?? { running: 0, queue: [] };
    this.#callers.set(caller, waiting);
    return waiting;
  }

  /** In the next turn of the event loop: a row of requests that are refused at once must not run in one go. */
  #next(caller: string, waiting: Waiting): void {
    setImmediate(() => {
      const next = waiting.queue.shift();
      if (next !== undefined) return next();
      waiting.running--;
      if (waiting.running === 0) this.#callers.delete(caller);
    });
  }
}
