import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../backend/gateway/token-buckets.ts';

test('a burst passes, the next call gets its waiting time, and after that it passes', () => {
  const buckets = new TokenBuckets({ burst: 3, perSecond: 2 });
  expect([1, 2, 3].map(() => buckets.take('a', 1_000))).toEqual([0, 0, 0]);
  expect(buckets.take('a', 1_000)).toBe(500);
  expect(buckets.take('a', 1_400)).toBe(100);
  expect(buckets.take('a', 1_500)).toBe(0);
  expect(buckets.take('a', 1_500)).toBe(500);
});

test('callers have separate buckets', () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 1 });
  expect([buckets.take('a', 0), buckets.take('b', 0), buckets.take('a', 0)]).toEqual([0, 0, 1_000]);
});

test('a long pause saves up one burst, not more', () => {
  const buckets = new TokenBuckets({ burst: 2, perSecond: 5 });
  buckets.take('a', 0);
  expect([1, 2, 3].map(() => buckets.take('a', 3_600_000))).toEqual([0, 0, 200]);
});

test('a clock that is set back takes no tokens away', () => {
  const buckets = new TokenBuckets({ burst: 2, perSecond: 1 });
  expect(buckets.take('a', 3_600_000)).toBe(0);
  expect([0, 0, 1_000].map((now) => buckets.take('a', now))).toEqual([0, 1_000, 0]);
});

test('a million callers take no more memory than the limit, and an active caller keeps its bucket', () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 0.001 }, 100);
  buckets.take('eager', 0);
  let passed = 0;
  for (let caller = 0; caller < 1_000_000; caller++) {
    buckets.take(String(caller), 0);
    if (caller % 50 === 0 && buckets.take('eager', 0) === 0) passed++;
  }
  expect(passed).toBe(0);
  expect(buckets.callers).toBe(100);
});
