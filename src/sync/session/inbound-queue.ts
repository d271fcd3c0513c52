// Where what comes from others waits, in its order, while an editor cannot take it: a word is being composed, and a
// change beside it would break it (SY20). To the session behind it this is a network that is slow for a moment. An editor
// is told before each of it (SY21).
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';

export class InboundQueue {
  readonly #clock: Pick<Clock, 'after'>;
  #pauses = 0;
  #isOpenForever = false;
  #isDelivering = false;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Until the answer is called, at most for `ms`. Several at once: until the last of them. */
  pause(ms: number): Cancel {
    if (this.#isOpenForever) return () => undefined;
    let isHeld = true;
    this.#pauses += 1;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      cancel();
      this.#pauses -= 1;
      this.#deliverWaiting();
    };
    const cancel = this.#clock.after(ms, release);
    return release;
  }

  /** `run` is called before anything goes through; it must not throw. */
  onBefore(run: () => void): Cancel {
    this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  }

  /** At once, or when what came before it has gone through. */
  deliver(run: () => void): void {
    if (this.#isPaused || this.#waiting.length > 0 || this.#isDelivering) this.#waiting.push(run);
    else this.#run(run);
  }

  async deliverAnswer<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    if (this.#isPaused) await new Promise<void>((done) => this.deliver(done));
    else this.#notifyListeners();
    return value;
  }

  /** Nothing waits any more, whoever holds. */
  openForever(): void {
    this.#isOpenForever = true;
    this.#deliverWaiting();
  }

  get #isPaused(): boolean {
    return this.#pauses > 0 && !this.#isOpenForever;
  }

  #run(run: () => void): void {
    this.#notifyListeners();
    run();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  /** What is thrown by one does not keep the others back. */
  #deliverWaiting(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    const failures: unknown[] = [];
    while (!this.#isPaused) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      try {
        this.#run(next);
      } catch (error) {
        failures.push(error);
      }
    }
    this.#isDelivering = false;
    if (failures.length > 0) throw failures[0];
  }
}
