// Runs a tab's code. While the tab is frozen the code waits for the thaw; once the tab is killed it never runs.
import type { SimClock } from 'weft-sync/testing/sim-clock.ts';
import type { Cancel } from '../../../src/lib/cancel.ts';

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

  /** Resolves when the tab's code may run, or never. */
  pass<T>(value: T): Promise<T> {
    return new Promise((resolve) => this.later(() => resolve(value)));
  }

  /** Sets a timer of this tab. */
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

  /** Waits for the time of the world, which goes on for requests of a killed tab too. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(Math.max(0, ms), resolve));
  }
}
