// The time of a change at the margin: of day, and the date before it for changes of another day.

export function clockTime(at: number, now: number): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === new Date(now).toDateString()) return time;
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}
