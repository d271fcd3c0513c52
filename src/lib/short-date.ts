// A point in time as the shortest clear text: the time of day, "yesterday", the weekday, or the date.

const DAY_MS = 24 * 60 * 60 * 1_000;

export function shortDate(at: number, now: number): string {
  const then = new Date(at);
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days <= 0) return then.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  if (days === 1) return 'yesterday';
  if (days < 7) return then.toLocaleDateString('en', { weekday: 'long' });
  const isThisYear = then.getFullYear() === new Date(now).getFullYear();
  return then.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  });
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
