import { expect, test } from 'vitest';
import { atTime, timeAgo } from '../../../src/features/watching/time-ago.ts';

const NOW = new Date(2026, 10, 22, 12, 0, 0).getTime();
const MINUTE_MS = 60_000;

test('a change is seconds or minutes ago, then at a time of today, then on a day', () => {
  const cases: readonly (readonly [msAgo: number, text: string])[] = [
    [0, '0 s ago'],
    [12_000, '12 s ago'],
    [59 * MINUTE_MS, '59 min ago'],
    [3 * 60 * MINUTE_MS, 'at 09:00'],
    [13 * 60 * MINUTE_MS, 'on 21 November'],
    [400 * 24 * 60 * MINUTE_MS, 'on 18 October 2025'],
  ];
  for (const [msAgo, text] of cases) expect(timeAgo(NOW - msAgo, NOW)).toBe(text);
});

test('a change in the future, by a clock that is wrong, is now', () => {
  expect(timeAgo(NOW + 3_600_000, NOW)).toBe('0 s ago');
});

test('yesterday’s time of day is not shown as one of today', () => {
  expect(atTime(NOW - 13 * 60 * MINUTE_MS, NOW)).toBe('on 21 November');
});
