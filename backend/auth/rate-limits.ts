// How often somebody may ask: network addresses by buckets that fill again, accounts by attempts that failed, mails by the
// time since the last one. In memory: a restart forgives.
import { callerOf, isLoopback } from '../gateway/addresses.ts';
import { TokenBuckets } from '../gateway/token-buckets.ts';
import { AuthError, tooManyRequests } from './auth-error.ts';
import type { AuthSettings } from './settings.ts';

const MAX_KEYS = 10_000;
const ATTEMPT_WINDOW_MS = 5 * 60_000;
type Attempts = { count: number; readonly endsAt: number };
type RateName = keyof AuthSettings['rates'];

export class RateLimits {
  readonly #settings: AuthSettings;
  readonly #buckets: Readonly<Record<RateName, TokenBuckets>>;
  readonly #attempts = new Map<string, Attempts>();
  readonly #mails = new Map<string, number>();

  constructor(settings: AuthSettings) {
    this.#settings = settings;
    const { tokens, verifications, guests, signUps, mails } = settings.rates;
    this.#buckets = {
      tokens: new TokenBuckets(tokens),
      verifications: new TokenBuckets(verifications),
      guests: new TokenBuckets(guests),
      signUps: new TokenBuckets(signUps),
      mails: new TokenBuckets(mails),
    };
  }

  /** Throws a 429 when this address asks too often. */
  take(name: RateName, peer: string | null): void {
    // Unknown, or this machine's own: whoever speaks for it (a proxy, a test) speaks for everybody.
    if (peer === null || isLoopback(peer)) return;
    if (this.#buckets[name].take(callerOf(peer), this.#settings.now()) === 0) return;
    throw name === 'mails'
      ? new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded')
      : tooManyRequests();
  }

  /**
   * Throws a 429 when this account was tried too often. Counted before it is known to fail: many may be under way at once.
   * Call what comes back after a success: it forgives what failed before.
   */
  attempt(kind: 'password' | 'code', email: string): () => void {
    const now = this.#settings.now();
    const key = `${kind} ${email.slice(0, 320)}`;
    let attempts = this.#attempts.get(key);
    if (attempts === undefined || attempts.endsAt <= now) {
      attempts = { count: 0, endsAt: now + ATTEMPT_WINDOW_MS };
      this.#attempts.delete(key);
      remember(this.#attempts, key, attempts);
    }
    if (++attempts.count > this.#settings.attempts) throw tooManyRequests();
    return () => this.#attempts.delete(key);
  }

  /** Throws a 429 when a mail of this kind went to this address a moment ago; the same for addresses of nobody. */
  mail(kind: 'confirmation' | 'recovery' | 'change', email: string): void {
    const now = this.#settings.now();
    const key = `${kind} ${email}`;
    const wait = (this.#mails.get(key) ?? Number.NEGATIVE_INFINITY) + this.#settings.mailIntervalSeconds * 1000 - now;
    if (wait > 0) {
      const message = `For security purposes, you can only request this after ${Math.ceil(wait / 1000)} seconds.`;
      throw new AuthError(429, 'over_email_send_rate_limit', message);
    }
    this.#mails.delete(key);
    remember(this.#mails, key, now);
  }
}

/** Maps keep the order of insertion: what was not asked about for longest goes first. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
}
