// How long ago something happened: seconds, minutes, then the time of day or the date.
import { dateOf, daysAgo, timeOf } from '../../lib/text/times.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function timeAgo(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE_MS) return `${Math.floor(past / 1000)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  return atTime(at, now);
}

/** "at 14:02", and for other days "on 14 November". */
export const atTime = (at: number, now: number): string =>
  `${daysAgo(at, now) === 0 ? 'at' : 'on'} ${timeOrDate(at, now)}`;

/** "14:02", and for other days "14 November". */
export const timeOrDate = (at: number, now: number): string => (daysAgo(at, now) === 0 ? timeOf(at) : dateOf(at, now));
