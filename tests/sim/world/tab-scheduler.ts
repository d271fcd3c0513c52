// Runs a tab's code: later while the tab is frozen, never again once it was killed.
import type { Cancel } from '../../../src/lib/cancel.ts';
import type { SimClock } from '../../memory/sim-clock.ts';

export class TabScheduler {
  readonly #clock: SimClock;
  readonly #timers = new Set<Cancel>();
  #waiting: (() => void)[] = [];
  #isDead = false;
  #isFrozen = false;

  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  get isDead(): boolean {
    return this.#isDead;
  }
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  now(): number {
    return this.#clock.now();
  }

  kill(): void {
    this.#isDead = true;
    this.#waiting = [];
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const run of waiting) this.later(run);
  }

  /** Runs now, at the thaw, or never. */
  later(run: () => void): void {
    if (this.#isDead) return;
    if (this.#isFrozen) this.#waiting.push(() => this.later(run));
    else run();
  }

  /** Resolves for this tab's code, when and if it runs. */
  pass<T>(value: T): Promise<T> {
    return new Promise((resolve) => this.later(() => resolve(value)));
  }

  /** A timer of this tab. */
  after(ms: number, run: () => void): Cancel {
    let isCancelled = false;
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(cancel);
      this.later(() => {
        if (!isCancelled) run();
      });
    });
    this.#timers.add(cancel);
    return () => {
      isCancelled = true;
      this.#timers.delete(cancel);
      cancel();
    };
  }

  /** Time of the world, which passes for a dead tab's requests too. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(Math.max(0, ms), resolve));
  }
}
