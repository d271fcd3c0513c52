// Values that take long to compute, by a text that determines them. Everyone who watches a text while its value is
// computed gets the same one, and recent final values are remembered.
import type { Cancel } from '../cancel.ts';

/** `isFinal` is false if a later try may give another value, as when something did not load. */
export type Computed<Value> = { readonly value: Value; readonly isFinal: boolean };

type Pending<Value> = { readonly watchers: Set<(value: Value) => void>; readonly abort: AbortController };

export class SharedResults<Value> {
  readonly #compute: (text: string, signal: AbortSignal) => Promise<Computed<Value> | null>;
  readonly #sizeOf: (value: Value) => number;
  readonly #maxSize: number;
  readonly #pending = new Map<string, Pending<Value>>();
  /** From the least to the most recently used. */
  readonly #remembered = new Map<string, Value>();
  #size = 0;

  /**
   * `compute` may return null after its signal was aborted, because no one watches any more. Remembers values and their
   * texts up to `maxSize` characters.
   */
  constructor(
    compute: (text: string, signal: AbortSignal) => Promise<Computed<Value> | null>,
    sizeOf: (value: Value) => number,
    maxSize: number,
  ) {
    this.#compute = compute;
    this.#sizeOf = sizeOf;
    this.#maxSize = maxSize;
  }

  /** The value, if it is remembered. */
  known(text: string): Value | undefined {
    const value = this.#remembered.get(text);
    if (value !== undefined) {
      this.#remembered.delete(text);
      this.#remembered.set(text, value);
    }
    return value;
  }

  /** Calls back once with the value, at once if it is remembered. */
  watch(text: string, onValue: (value: Value) => void): Cancel {
    const known = this.known(text);
    if (known !== undefined) {
      onValue(known);
      return () => {};
    }
    const pending = this.#pending.get(text) ?? this.#begin(text);
    // A function of its own, so that the same callback may watch twice.
    const watcher = (value: Value) => onValue(value);
    pending.watchers.add(watcher);
    return () => {
      pending.watchers.delete(watcher);
      if (pending.watchers.size > 0) return;
      pending.abort.abort();
      if (this.#pending.get(text) === pending) this.#pending.delete(text);
    };
  }

  #begin(text: string): Pending<Value> {
    const pending: Pending<Value> = { watchers: new Set(), abort: new AbortController() };
    this.#pending.set(text, pending);
    void this.#compute(text, pending.abort.signal).then((computed) => {
      if (this.#pending.get(text) === pending) this.#pending.delete(text);
      if (computed === null) return;
      if (computed.isFinal) this.#remember(text, computed.value);
      for (const watcher of [...pending.watchers]) if (pending.watchers.has(watcher)) watcher(computed.value);
    });
    return pending;
  }

  #remember(text: string, value: Value): void {
    this.#forget(text);
    this.#remembered.set(text, value);
    this.#size += text.length + this.#sizeOf(value);
    for (const [oldest] of this.#remembered) {
      if (this.#size <= this.#maxSize) break;
      this.#forget(oldest);
    }
  }

  #forget(text: string): void {
    const value = this.#remembered.get(text);
    if (value === undefined) return;
    this.#remembered.delete(text);
    this.#size -= text.length + this.#sizeOf(value);
  }
}
