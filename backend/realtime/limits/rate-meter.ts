// Measures events per second as an average over the last minute or less, counted in ticks like the counters of Supabase
// Realtime.

export class RateMeter {
  readonly #tickMs: number;
  readonly #maxTicks: number;
  #ticks: number[] = [];
  #current = 0;
  #idleTicks = 0;
  /** Events per second as of the last tick. */
  average = 0;

  /** The average covers at most `maxTicks` ticks of `tickMs`. */
  constructor(tickMs: number, maxTicks: number) {
    this.#tickMs = tickMs;
    this.#maxTicks = maxTicks;
  }

  add(count = 1): void {
    // As in Supabase Realtime, the first tick comes at once and is empty.
    if (this.#ticks.length === 0) this.#ticks.push(0);
    this.#current += count;
  }

  tick(): void {
    if (this.#ticks.length === 0) return;
    this.#idleTicks = this.#current === 0 ? this.#idleTicks + 1 : 0;
    this.#ticks = [...this.#ticks, this.#current].slice(-this.#maxTicks);
    this.#current = 0;
    const sum = this.#ticks.reduce((total, count) => total + count, 0);
    this.average = sum / this.#ticks.length / (this.#tickMs / 1_000);
    // After ten idle spans the meter starts again, so that later events count as a new burst.
    if (this.#idleTicks >= 10 * this.#maxTicks) this.#ticks = [];
  }
}
