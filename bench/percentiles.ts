// Percentiles by nearest rank: always a measured value, never an interpolated one.

/** NaN for an empty list. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => percentile(samples, 50);

export type Summary = {
  readonly count: number;
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
};

export const summarize = (samples: readonly number[]): Summary => {
  // Three digits are a microsecond, or a thousandth of a byte.
  const at = (p: number) => Number(percentile(samples, p).toFixed(3));
  return {
    count: samples.length,
    p5: at(5),
    p25: at(25),
    p50: at(50),
    p75: at(75),
    p95: at(95),
    p99: at(99),
    max: at(100),
  };
};
