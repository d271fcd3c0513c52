// The choices for when a new link expires: never, or after one of a few usual times; a year at most (SPECIFICATION.md,
// section 5).

const DAY_MS = 24 * 60 * 60 * 1_000;

export const EXPIRY_CHOICES = [
  { expiry: 'never', label: 'Never', days: null },
  { expiry: 'day', label: 'In a day', days: 1 },
  { expiry: 'week', label: 'In a week', days: 7 },
  { expiry: 'month', label: 'In 30 days', days: 30 },
  // The database takes a year at most, and this device's clock may be ahead.
  { expiry: 'year', label: 'In a year', days: 364 },
] as const;

export type Expiry = (typeof EXPIRY_CHOICES)[number]['expiry'];

export function expiresAt(expiry: Expiry, now: number): number | null {
  const days = EXPIRY_CHOICES.find((one) => one.expiry === expiry)?.days ?? null;
  return days === null ? null : now + days * DAY_MS;
}
