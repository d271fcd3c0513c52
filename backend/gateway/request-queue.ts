// Lets a few requests of each caller run at a time; further ones wait for their turn. Without it, requests that one program sends
// on hundreds of connections at once are all handled in one turn of the event loop, and everyone else waits until they are done.

/** The requests of a caller: how many run, and how to let each waiting one begin. */
type CallerRequests = { running: number; readonly queue: (() => void)[] };

export class RequestQueue {
  readonly #atOnce: number;
  /** Only callers with requests. */
  readonly #callers = new Map<string, CallerRequests>();

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
    const requests = this.#of(caller);
    if (requests.running >= this.#atOnce) await new Promise<void>((resolve) => requests.queue.push(resolve));
    else requests.running++;
    try {
      return await work();
    } finally {
      this.#next(caller, requests);
    }
  }

  #of(caller: string): CallerRequests {
    const requests = this.#callers.get(caller) ?? { running: 0, queue: [] };
    this.#callers.set(caller, requests);
    return requests;
  }

  /** In the next turn of the event loop: a row of requests that are refused at once must not run in one go. */
  #next(caller: string, requests: CallerRequests): void {
    setImmediate(() => {
      const next = requests.queue.shift();
      if (next !== undefined) return next();
      requests.running--;
      if (requests.running === 0) this.#callers.delete(caller);
    });
  }
}
