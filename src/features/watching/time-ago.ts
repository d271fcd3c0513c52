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
export function atTime(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString())
    return `at ${then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
  const isThisYear = then.getFullYear() === today.getFullYear();
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return `on ${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', ...year })}`;
}
