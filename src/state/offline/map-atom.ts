// A map in an atom: each change replaces it by a new one, so that views notice.
import { atom } from 'jotai/vanilla';
import type { AtomStore } from '../store.ts';

export class MapAtom<K, V> {
  readonly #store: AtomStore;
  readonly atom = atom<ReadonlyMap<K, V>>(new Map<K, V>());

  constructor(store: AtomStore) {
    this.#store = store;
  }

  get all(): ReadonlyMap<K, V> {
    return this.#store.get(this.atom);
  }

  set all(map: ReadonlyMap<K, V>) {
    this.#store.set(this.atom, map);
  }

  set(key: K, value: V): void {
    this.all = new Map(this.all).set(key, value);
  }

  delete(key: K): void {
    const rest = new Map(this.all);
    if (rest.delete(key)) this.all = rest;
  }
}
