// How long to wait before the next try. Full jitter spreads the retries: a thousand tabs that lost the same server do
// not all come back at once.

export const FIRST_BACKOFF_MS = 1_000;
export const MAX_BACKOFF_MS = 30_000;

/** `attempt` counts from 1 and `random` is in [0, 1). The result is in [0, min(30 s, 1 s · 2^(attempt − 1))). */
export function backoffMs(attempt: number, random: number): number {
  const doublings = Math.min(Math.max(attempt, 1) - 1, 10);
  return Math.floor(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** doublings) * random);
}
