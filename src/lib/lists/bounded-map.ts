// A map that drops its oldest entry when it would hold more than `maxSize`. As in every `Map`, an entry is as old as its key:
// delete the key first to make the entry the newest.
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    super.set(key, value);
    const [oldest = key] = this.keys();
    if (this.size > this.#maxSize) this.delete(oldest);
    return this;
  }
}
