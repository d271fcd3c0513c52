// A limit of calls per time window. A window begins with the first call after the last one has ended.

export class CallLimit {
  readonly #calls: number;
  readonly #windowMs: number;
  #used = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(calls: number, windowMs: number) {
    this.#calls = calls;
    this.#windowMs = windowMs;
  }

  /** The last window has ended, so nothing of it counts any more. */
  isOver(nowMs: number): boolean {
    return nowMs > this.#endsAt;
  }

  /** Returns false for a call above the limit. */
  take(nowMs: number): boolean {
    if (this.isOver(nowMs)) {
      this.#used = 0;
      this.#endsAt = nowMs + this.#windowMs;
    }
    if (this.#used >= this.#calls) return false;
    this.#used++;
    return true;
  }
}
