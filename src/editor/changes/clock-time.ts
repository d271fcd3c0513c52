// The time of a change, as the margin shows it: "18:40", or "3 Nov 18:40" on another day.
import { daysAgo, timeOf } from '../../lib/text/times.ts';

export function clockTime(at: number, now: number): string {
  if (daysAgo(at, now) === 0) return timeOf(at);
  return `${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${timeOf(at)}`;
}
