// How the history writes times (days, moments, spans within a day) and numbers of words.
import { capitalized } from '../../lib/text/capitalized.ts';
import { dateOf, dayOf, timeOf } from '../../lib/text/times.ts';

const DAY_MS = 24 * 60 * 60_000;

/** "17:05 to 18:42", or "20:15" if it was one minute. */
export function spanOf(from: number, to: number): string {
  const [start, end] = [timeOf(from), timeOf(to)];
  return start === end && to - from < DAY_MS ? start : `${start} to ${end}`;
}

/** As a heading: "Yesterday, 4 June". */
export function dayHeading(at: number, now: number): string {
  const [day, date] = [dayOf(at, now), dateOf(at, now)];
  return day === 'today' || day === date ? capitalized(day) : `${capitalized(day)}, ${date}`;
}

/** "Yesterday, 18:31", and for today "Today, 18:31". */
export const momentOf = (at: number, now: number): string => capitalized(`${dayOf(at, now)}, ${timeOf(at)}`);

/** "+86 −112 words"; null if no word came or went. */
export function wordsText(inserted: number, removed: number): string | null {
  const parts = [
    ...(inserted > 0 ? [`+${inserted.toLocaleString('en')}`] : []),
    ...(removed > 0 ? [`−${removed.toLocaleString('en')}`] : []),
  ];
  const isOne = inserted + removed === 1;
  return parts.length === 0 ? null : `${parts.join(' ')} ${isOne ? 'word' : 'words'}`;
}

/** "Today" and "Yesterday" inside of a sentence. Names of days and months stay. */
export const inSentence = (moment: string): string =>
  moment.replace(/^(?:Today|Yesterday)/, (word) => word.toLowerCase());
