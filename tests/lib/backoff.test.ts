import { expect, test } from 'vitest';
import { MAX_BACKOFF_MS, backoffMs } from '../../src/lib/async/backoff.ts';

test('[SY6] delays double from one second to thirty, with full jitter', () => {
  const ceilings = [1, 2, 3, 4, 5, 6, 50, 1e9].map((attempt) => backoffMs(attempt, 1));
  expect(ceilings).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, MAX_BACKOFF_MS, MAX_BACKOFF_MS, MAX_BACKOFF_MS]);
  expect(backoffMs(4, 0)).toBe(0);
  expect(backoffMs(4, 0.5)).toBe(4_000);
  expect(backoffMs(0, 1)).toBe(1_000);
});
