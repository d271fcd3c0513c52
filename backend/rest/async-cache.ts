/** Caches the result of one asynchronous read. Callers that come while it runs share it; a read that fails is not cached. */
export class AsyncCache<T> {
  readonly #read: () => Promise<T>;
  #cached: Promise<T> | null = null;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  async get(): Promise<T> {
    const reading = (this.#cached ??= this.#read());
    try {
      return await reading;
    } catch (error) {
      // `clear` may have started another read meanwhile.
      if (this.#cached === reading) this.clear();
      throw error;
    }
  }

  /** The next `get` reads again. */
  clear(): void {
    this.#cached = null;
  }
}
