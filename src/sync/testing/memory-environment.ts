// The Environment port: online or offline, visible or hidden, as a test sets it.
import type { Environment } from '../ports.ts';

type Fact = 'online' | 'offline' | 'hidden' | 'visible';

export class MemoryEnvironment implements Environment {
  #online = true;
  #visible = true;
  readonly #listeners = new Set<(fact: Fact) => void>();

  isOnline(): boolean {
    return this.#online;
  }

  isVisible(): boolean {
    return this.#visible;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  onChange(run: (fact: Fact) => void) {
    this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  }

  set(fact: Fact): void {
    if (fact === 'online' || fact === 'offline') this.#online = fact === 'online';
    else this.#visible = fact === 'visible';
    for (const listener of [...this.#listeners]) listener(fact);
  }
}
