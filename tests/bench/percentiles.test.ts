import { expect, test } from 'vitest';
import { summarize } from '../../bench/percentiles.ts';

test('a summary has the spread of the samples, in thousandths', () => {
  const samples = Array.from({ length: 100 }, (_, nth) => 100.000_4 - nth);
  expect(summarize(samples)).toEqual({ count: 100, p5: 5, p25: 25, p50: 50, p75: 75, p95: 95, p99: 99, max: 100 });
});

test('a summary of nothing has no figures', () => {
  expect(summarize([])).toMatchObject({ count: 0, p5: Number.NaN, max: Number.NaN });
});
