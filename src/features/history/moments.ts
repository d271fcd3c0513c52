// How the history says when: days, times, and times within a day.
const DAY_MS = 24 * 60 * 60_000;

/** Made once: `toLocaleTimeString` takes 0.1 ms, and a page has a thousand times at its margin. */
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const DATE_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

export const timeOf = (at: number): string => TIME.format(at);

/** "17:05 to 18:42", or "20:15" if it was one minute. */
export function spanOf(from: number, to: number): string {
  const [start, end] = [timeOf(from), timeOf(to)];
  return start === end && to - from < DAY_MS ? start : `${start} to ${end}`;
}

const isSameDay = (one: number, other: number): boolean =>
  new Date(one).toDateString() === new Date(other).toDateString();

function dateOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DATE : DATE_AND_YEAR).format(at);
}

/** "Today", "Yesterday", "Tuesday", "30 May". */
export function dayOf(at: number, now: number): string {
  if (isSameDay(at, now)) return 'Today';
  if (isSameDay(at, now - DAY_MS)) return 'Yesterday';
  if (at < now && now - at < 6 * DAY_MS) return WEEKDAY.format(at);
  return dateOf(at, now);
}

/** As a heading: "Yesterday, 4 June". */
export function dayHeading(at: number, now: number): string {
  const [day, date] = [dayOf(at, now), dateOf(at, now)];
  return day === 'Today' || day === date ? day : `${day}, ${date}`;
}

/** "Yesterday, 18:31". */
export const momentOf = (at: number, now: number): string => `${dayOf(at, now)}, ${timeOf(at)}`;

/** "+86 −112 words"; null if no word came or went. */
export function wordsText(inserted: number, removed: number): string | null {
  const parts = [
    ...(inserted > 0 ? [`+${inserted.toLocaleString('en')}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString('en')}`] : []),
  ];
  const isOne = inserted + removed === 1;
  return parts.length === 0 ? null : `${parts.join(' ')} ${isOne ? 'word' : 'words'}`;
}
