// Calls back when a token expires.
import { expired } from '../../keys/token.ts';

export class ExpiryWatch {
  readonly #checkMs: number;
  readonly #onExpired: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(checkMs: number, onExpired: (message: string) => void) {
    this.#checkMs = checkMs;
    this.#onExpired = onExpired;
  }

  /** Replaces the watched token. `expiresAt` is in seconds since 1970; null never expires. */
  watch(expiresAt: number | null): void {
    this.stop();
    if (expiresAt === null) return;
    const remainingMs = expiresAt * 1000 - Date.now();
    if (remainingMs <= 0) return this.#onExpired(expired(expiresAt).onChannel);
    // In steps, since a timer cannot wait for months and the clock may be changed in the meantime.
    this.#timer = setTimeout(() => this.watch(expiresAt), Math.min(this.#checkMs, remainingMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
