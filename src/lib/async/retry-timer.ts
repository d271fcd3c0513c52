// When to try again after a failure: the more failures in a row, the longer the wait may be. One try waits at a time.
import type { Cancel } from '../cancel.ts';
import { backoffMs } from './backoff.ts';

export type RetryTiming = {
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly random: () => number;
};

export class RetryTimer {
  readonly #timing: RetryTiming;
  readonly #run: () => void;
  #failures = 0;
  #stop: Cancel | null = null;

  constructor(timing: RetryTiming, run: () => void) {
    this.#timing = timing;
    this.#run = run;
  }

  get isWaiting(): boolean {
    return this.#stop !== null;
  }

  /** Counts a failure, and runs after `leastMs` and the time that `backoffMs` gives for the number of failures. */
  failed(leastMs = 0): void {
    this.cancel();
    this.runLater(leastMs + backoffMs(++this.#failures, this.#timing.random()));
  }

  /** The next failure is the first one again. A run that waits stays. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Runs after this time, without counting a failure, unless a run waits already. */
  runLater(ms: number): void {
    this.#stop ??= this.#timing.after(ms, () => {
      this.#stop = null;
      this.#run();
    });
  }

  cancel(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
