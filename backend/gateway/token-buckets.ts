// Rate limits per caller (token buckets) in bounded memory. Knows nothing about requests.
import { BoundedMap } from '../../src/lib/lists/bounded-map.ts';

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
  /**
   * Ordered by last use. The bucket that was unused for longest is dropped: it had the most time to fill, and a full
   * bucket is the same as none.
   */
  readonly #buckets: BoundedMap<string, Bucket>;

  constructor(rate: Rate, maxCallers = MAX_CALLERS) {
    this.#rate = rate;
    this.#buckets = new BoundedMap(maxCallers);
  }

  get callers(): number {
    return this.#buckets.size;
  }

  /**
   * Takes a token and returns 0, or returns the milliseconds until there is one. `now` is in milliseconds; a clock that is
   * set back only delays new tokens.
   */
  take(caller: string, now: number): number {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#buckets.get(caller) ?? { tokens: burst, filledAt: now };
    const passedMs = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs / 1_000) * perSecond);
    bucket.filledAt = now;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / perSecond) * 1_000);
    bucket.tokens -= 1;
    return 0;
  }
}
