// Where what comes from others waits, in its order, while an editor cannot take it: a word is being composed, and a
// change beside it would break it (SY20). To the session behind it this is a network that is slow for a moment. An editor
// is told before each of it (SY21).
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';

export class Gate {
  readonly #clock: Pick<Clock, 'after'>;
  #holds = 0;
  #isOpenForGood = false;
  #isLettingGo = false;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Until the answer is called, at most for `ms`. Several at once: until the last of them. */
  hold(ms: number): Cancel {
    if (this.#isOpenForGood) return () => undefined;
    let isHeld = true;
    this.#holds += 1;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      cancel();
      this.#holds -= 1;
      this.#letGo();
    };
    const cancel = this.#clock.after(ms, release);
    return release;
  }

  /** `run` is called before anything goes through; it must not throw. */
  before(run: () => void): Cancel {
    this.#listeners.add(run);
    return () => void this.#listeners.delete(run);
  }

  /** At once, or when what came before it has gone through. */
  pass(run: () => void): void {
    if (this.#isShut || this.#waiting.length > 0 || this.#isLettingGo) this.#waiting.push(run);
    else this.#run(run);
  }

  async passAnswer<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    if (this.#isShut) await new Promise<void>((done) => this.pass(done));
    else this.#tell();
    return value;
  }

  /** Nothing waits any more, whoever holds. */
  openForGood(): void {
    this.#isOpenForGood = true;
    this.#letGo();
  }

  get #isShut(): boolean {
    return this.#holds > 0 && !this.#isOpenForGood;
  }

  #run(run: () => void): void {
    this.#tell();
    run();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** What is thrown by one does not keep the others back. */
  #letGo(): void {
    if (this.#isLettingGo) return;
    this.#isLettingGo = true;
    const failures: unknown[] = [];
    while (!this.#isShut) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      try {
        this.#run(next);
      } catch (error) {
        failures.push(error);
      }
    }
    this.#isLettingGo = false;
    if (failures.length > 0) throw failures[0];
  }
}
