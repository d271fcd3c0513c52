/** What was read once and holds until it is forgotten; who asks meanwhile waits for the same reading. */
export class Kept<T> {
  readonly #read: () => Promise<T>;
  #reading: Promise<T> | null = null;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  async get(): Promise<T> {
    const reading = (this.#reading ??= this.#read());
    try {
      return await reading;
    } catch (error) {
      if (this.#reading === reading) this.forget();
      throw error;
    }
  }

  /** What is asked for from now on is read anew. */
  forget(): void {
    this.#reading = null;
  }
}
