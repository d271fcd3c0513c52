// Says when a token has expired, at that very moment.
import { expired } from '../../keys/token.ts';

export class ExpiryWatch {
  readonly #checkMs: number;
  readonly #onExpired: (message: string) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(checkMs: number, onExpired: (message: string) => void) {
    this.#checkMs = checkMs;
    this.#onExpired = onExpired;
  }

  /** In place of what was watched before. Seconds since 1970, null for what never expires. */
  watch(expiresAt: number | null): void {
    this.stop();
    if (expiresAt === null) return;
    const remainingMs = expiresAt * 1000 - Date.now();
    if (remainingMs <= 0) return this.#onExpired(expired(expiresAt).onChannel);
    // In steps: a timer cannot wait for months, and the clock may be set meanwhile.
    this.#timer = setTimeout(() => this.watch(expiresAt), Math.min(this.#checkMs, remainingMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
