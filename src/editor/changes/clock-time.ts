// The time of a change at the margin: of day, and the date before it for changes of another day.
import { daysAgo, timeOf } from '../../lib/text/times.ts';

export function clockTime(at: number, now: number): string {
  if (daysAgo(at, now) === 0) return timeOf(at);
  return `${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${timeOf(at)}`;
}
