// Formats numbers for the report.

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

export const ratio = (a: number, b: number): string => (a / b).toFixed(2);

export const bytes = (value: number): string =>
  value < 10_000 ? `${Math.round(value)} B` : `${(value / 1_000).toFixed(1)} kB`;

export const perKey = (value: number): string => value.toFixed(2);
