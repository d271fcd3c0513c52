// Remote changes wait here, in order, while the editor cannot take them: while a word is composed, a change beside it
// would break it (SY20). To the session this looks like a network that is slow for a moment. The editor is called
// before each of them (SY21).
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

  /** Pauses until the returned function is called, at most for `ms`. With several pauses, until the last one ends. */
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

  /** `run` is called before anything is delivered. It must not throw. */
  onBefore(run: () => void): Cancel {
    this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  }

  /** Delivers at once, or after what is waiting already. */
  deliver(run: () => void): void {
    if (this.#isPaused || this.#waiting.length > 0 || this.#isDelivering) this.#waiting.push(run);
    else this.#run(run);
  }

  /** The answer of a call, once nothing is paused. The editor is called first, because the caller applies it at once. */
  async deliverAnswer<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    if (this.#isPaused) await new Promise<void>((done) => this.deliver(done));
    else this.#notifyListeners();
    return value;
  }

  /** From now on nothing waits, whatever pauses there are. */
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

  /** An error in one does not keep the others back. */
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
