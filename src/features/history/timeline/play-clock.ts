// The clock for playing a page: in the time in which it was written, with long pauses cut short.

/** A pause in writing is not longer than this, at 1×. */
const MAX_PAUSE_MS = 3_000;

export class PlayClock {
  readonly #timeOf: (seq: number) => number | null;
  readonly #head: number;
  #seq: number;
  /** Time that has passed since the row was reached. */
  #waited = 0;

  constructor(seq: number, head: number, timeOf: (seq: number) => number | null) {
    this.#seq = seq;
    this.#head = head;
    this.#timeOf = timeOf;
  }

  get isOver(): boolean {
    return this.#seq >= this.#head;
  }

  /** Lets this time pass, and returns the row that is reached. */
  after(ms: number): number {
    this.#waited += ms;
    while (!this.isOver) {
      const gap = this.#gapAfter(this.#seq);
      if (gap > this.#waited) break;
      this.#waited -= gap;
      this.#seq += 1;
    }
    return this.#seq;
  }

  #gapAfter(seq: number): number {
    const [now, next] = [this.#timeOf(seq), this.#timeOf(seq + 1)];
    if (now === null || next === null) return 0;
    return Math.min(MAX_PAUSE_MS, Math.max(0, next - now));
  }
}
