// Rate limits: network addresses (IPv6: /64 networks) by token buckets, accounts by wrong passwords from each address
// or device. They are in memory only: a restart resets them. Mails and their codes have further limits in the database
// (mail/sent-mails.ts).
import { BoundedMap } from '../../src/lib/lists/bounded-map.ts';
import { callerOf, isLoopback } from '../gateway/addresses.ts';
import { TokenBuckets } from '../gateway/token-buckets.ts';
import { AuthError, tooManyRequests } from './auth-error.ts';
import type { AuthSettings } from './settings.ts';

/** Within a window bcrypt can check fewer passwords than half of this, and each adds at most two keys: no count is pushed out. */
const MAX_KEYS = 20_000;
const ATTEMPT_WINDOW_MS = 5 * 60_000;
type Attempts = { count: number; readonly endsAt: number };
type RateName = keyof AuthSettings['rates'];

export class RateLimits {
  readonly #settings: AuthSettings;
  readonly #buckets: Readonly<Record<RateName, TokenBuckets>>;
  readonly #attempts = new BoundedMap<string, Attempts>(MAX_KEYS);
  /**
   * How often `forgive` was called for an account. A known device's count has this number in its key, so each call
   * starts anew.
   */
  readonly #proofs = new BoundedMap<string, number>(MAX_KEYS);

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

  /** Throws a 429 if this address sends too many requests. */
  take(name: RateName, peer: string | null): void {
    // Not for an unknown address or this machine's own: behind a proxy on it, everyone has that one.
    if (peer === null || isLoopback(peer)) return;
    if (this.#buckets[name].take(callerOf(peer), this.#settings.now()) === 0) return;
    throw name === 'mails'
      ? new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded')
      : tooManyRequests();
  }

  /**
   * Throws a 429 after too many wrong passwords of this account. Counts each attempt before its outcome is known, because many
   * can run at the same time. After a success, call the returned function: it forgets this caller's earlier failures.
   * `device`: the id of one on which the account was signed in before. No one else's failures count for it.
   */
  attempt(
    account: string,
    { peer, device }: { readonly peer: string | null; readonly device: string | null },
  ): () => void {
    const { wrongPasswords, wrongPasswordsTogether } = this.#settings;
    const key = accountKey(account);
    const place = device === null ? fromNetwork(peer) : `on ${device} ${this.#proofs.get(key) ?? 0}`;
    const own = this.#attemptsOf(`${key} ${place}`);
    const all = device === null ? this.#attemptsOf(key) : own;
    if (own.count >= wrongPasswords || all.count >= wrongPasswordsTogether) throw tooManyRequests();
    own.count += 1;
    if (all !== own) all.count += 1;
    return () => {
      all.count -= 1;
      own.count = 0;
    };
  }

  /**
   * Call it when the account's owner, at the network address `peer`, has proved its email address or chosen a new
   * password: they may sign in at once. Failures from other networks stay counted there. All known devices are
   * forgiven: the cookie that says which one it is goes to /token alone.
   */
  forgive(account: string, peer: string | null): void {
    const key = accountKey(account);
    this.#attempts.delete(key);
    this.#attempts.delete(`${key} ${fromNetwork(peer)}`);
    this.#proofs.set(key, (this.#proofs.get(key) ?? 0) + 1);
  }

  #attemptsOf(key: string): Attempts {
    const now = this.#settings.now();
    const known = this.#attempts.get(key);
    // A window that ends later than one from now on would: the clock was set back.
    if (known !== undefined && known.endsAt > now && known.endsAt <= now + ATTEMPT_WINDOW_MS) return known;
    const attempts = { count: 0, endsAt: now + ATTEMPT_WINDOW_MS };
    this.#attempts.delete(key);
    this.#attempts.set(key, attempts);
    return attempts;
  }
}

const accountKey = (account: string): string => account.slice(0, 320);
const fromNetwork = (peer: string | null): string => `from ${callerOf(peer ?? '')}`;
