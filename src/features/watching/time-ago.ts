// How long ago something happened: seconds, minutes, then the time of day or the date.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function timeAgo(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE_MS) return `${Math.floor(past / 1000)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  return atTime(at, now);
}

/** "at 14:02", and for other days "on 14 November". */
export const atTime = (at: number, now: number): string => `${isSameDay(at, now) ? 'at' : 'on'} ${timeOrDay(at, now)}`;

/** "14:02", and for other days "14 November". */
export function timeOrDay(at: number, now: number): string {
  const then = new Date(at);
  if (isSameDay(at, now)) return then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const isThisYear = then.getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', ...year });
}

const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();
