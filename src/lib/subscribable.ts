// Who wants to hear that something changed. Listeners are told, not handed a value: they read it where it lives.
import type { Cancel } from './cancel.ts';

export class Subscribable {
  readonly #listeners = new Set<() => void>();

  /** Bound, so that it can be handed to React as it is. The same function twice is two subscriptions. */
  readonly subscribe = (run: () => void): Cancel => {
    const listener = () => run();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  notify(): void {
    // A copy: a listener may cancel itself or others while we walk.
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
