// How long ago something happened: seconds, minutes, then the time of day or the date.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function timeAgo(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE_MS) return `${Math.floor(past / 1000)} s ago`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)} min ago`;
  return past < DAY_MS
    ? `at ${clockTime(at)}`
    : `on ${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
}

export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
