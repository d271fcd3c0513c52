// So many per second and a burst, for each of many callers: token buckets in bounded memory. Knows nothing of requests.

export type Rate = {
  /** How many may come at once. */
  readonly burst: number;
  /** How many more each second. */
  readonly perSecond: number;
};

type Bucket = { tokens: number; filledAt: number };

const MAX_CALLERS = 10_000;

export class TokenBuckets {
  readonly #rate: Rate;
  readonly #maxCallers: number;
  /** Whoever came last stands last. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, maxCallers = MAX_CALLERS) {
    this.#rate = rate;
    this.#maxCallers = maxCallers;
  }

  get callers(): number {
    return this.#buckets.size;
  }

  /**
   * 0 when `caller` may go on; otherwise the milliseconds after which asking again makes sense, and nothing is taken.
   * `now` in ms on a clock that is never set back.
   */
  take(caller: string, now: number): number {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(caller) ?? { tokens: burst, filledAt: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1_000) * perSecond);
    bucket.filledAt = now;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    this.#forgetOldest();
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
    bucket.tokens -= 1;
    return 0;
  }

  /** Takes nothing and forgives everything: as if `caller` had never come. */
  forget(caller: string): void {
    this.#buckets.delete(caller);
  }

  /** Who was away longest has the fullest bucket; a full one and none are the same. */
  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#maxCallers && oldest !== undefined) this.#buckets.delete(oldest);
  }
}
