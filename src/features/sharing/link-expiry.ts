// The choices for when a new link expires: never, or after one of a few usual times; a year at most (SPECIFICATION.md,
// point 5).

const DAY_MS = 24 * 60 * 60 * 1_000;

export const EXPIRY_CHOICES = [
  { end: 'never', words: 'never', days: null },
  { end: 'day', words: 'in a day', days: 1 },
  { end: 'week', words: 'in a week', days: 7 },
  { end: 'month', words: 'in 30 days', days: 30 },
  { end: 'year', words: 'in 360 days', days: 360 },
] as const;

export type Expiry = (typeof EXPIRY_CHOICES)[number]['end'];

export function expiresAt(end: Expiry, now: number): number | null {
  const days = EXPIRY_CHOICES.find((one) => one.end === end)?.days ?? null;
  return days === null ? null : now + days * DAY_MS;
}
