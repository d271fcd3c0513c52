// Points in time as texts, on this device's clock and in its time zone. All times are in ms since 1970.

const DAY_MS = 24 * 60 * 60_000;
const DATE = { day: 'numeric', month: 'long' } as const;

/** "14:02". Not `toLocaleTimeString`: it takes 0.1 ms, and a page has a thousand times at its margin. */
export function timeOf(at: number): string {
  const then = new Date(at);
  return [then.getHours(), then.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** "2026-11-14". */
export const isoDayOf = (at: number): string => {
  const then = new Date(at);
  return [then.getFullYear(), then.getMonth() + 1, then.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
};

/** "14 November", and "14 November 2025" in another year. */
export function dateOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString('en-GB', isThisYear ? DATE : { ...DATE, year: 'numeric' });
}

/** How many midnights ago: 0 is today, and less is a later day. */
export const daysAgo = (at: number, now: number): number => Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** "today", "yesterday", within a week "Tuesday", else the date. */
export function dayOf(at: number, now: number): string {
  const days = daysAgo(at, now);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  return days > 0 && days < 7 ? new Date(at).toLocaleDateString('en-GB', { weekday: 'long' }) : dateOf(at, now);
}

/** "14:02" for today (and later: clocks differ), else the day: "yesterday". */
export const shortDate = (at: number, now: number): string => (daysAgo(at, now) <= 0 ? timeOf(at) : dayOf(at, now));

/** "14:02" for today (and later), else with the day: "yesterday, 14:02". */
export const dayAndTime = (at: number, now: number): string =>
  daysAgo(at, now) <= 0 ? timeOf(at) : `${dayOf(at, now)}, ${timeOf(at)}`;
