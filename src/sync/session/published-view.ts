// A view of plain values for the outside: one frozen object until something in it changes (SY17).
import { Subscribable } from '../../lib/subscribable.ts';

export class PublishedView<View extends object> {
  readonly #changes = new Subscribable();
  #current: View;

  constructor(first: View) {
    this.#current = Object.freeze(first);
  }

  get current(): View {
    return this.#current;
  }

  readonly subscribe = this.#changes.subscribe;

  /** Does nothing while every field is the same. */
  set(view: View): void {
    if (sameFields(this.#current, view)) return;
    this.#current = Object.freeze(view);
    this.#changes.notify();
  }

  /** No one is notified any more. */
  close(): void {
    this.#changes.clear();
  }
}

export function sameFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a);
  const left = new Map<string, unknown>(Object.entries(a));
  return keys.length === Object.keys(b).length && Object.entries(b).every(([key, value]) => left.get(key) === value);
}
