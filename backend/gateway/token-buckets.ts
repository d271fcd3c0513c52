// Rate limits per caller (token buckets) in bounded memory. Knows nothing about requests.

export type Rate = {
  /** How many are allowed at once. */
  readonly burst: number;
  /** How many more each second allows. */
  readonly perSecond: number;
};

type Bucket = { tokens: number; filledAt: number };

const MAX_CALLERS = 10_000;

export class TokenBuckets {
  readonly #rate: Rate;
  readonly #maxCallers: number;
  /** Ordered by last use, oldest first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, maxCallers = MAX_CALLERS) {
    this.#rate = rate;
    this.#maxCallers = maxCallers;
  }

  get callers(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token and returns 0, or returns the milliseconds until there is one. `now` is in milliseconds on a clock that
   * never goes back.
   */
  take(caller: string, now: number): number {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(caller) ?? { tokens: burst, filledAt: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1_000) * perSecond);
    bucket.filledAt = now;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    this.#dropOldest();
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
    bucket.tokens -= 1;
    return 0;
  }

  /** Gives `caller` a full bucket. */
  reset(caller: string): void {
    this.#buckets.delete(caller);
  }

  /** The bucket that was unused for longest is the fullest, and a full bucket is the same as none. */
  #dropOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#maxCallers && oldest !== undefined) this.#buckets.delete(oldest);
  }
}
