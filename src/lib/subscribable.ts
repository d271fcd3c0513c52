// A list of listeners. They receive no value: each reads the current one from where it lives.
import type { Cancel } from './cancel.ts';

export class Subscribable {
  readonly #listeners = new Set<() => void>();

  /**
   * Bound to the instance, so it can be passed to React as it is. Subscribing the same function twice makes two
   * subscriptions.
   */
  readonly subscribe = (run: () => void): Cancel => {
    const listener = () => run();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  notify(): void {
    // Iterate over a copy: a listener may remove itself or others while we notify.
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) listener();
    }
  }

  get size(): number {
    return this.#listeners.size;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
