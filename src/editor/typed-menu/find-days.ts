// Parses days as people type them: "tomorrow", "friday", "in 3 days", "24.12.", "2026-12-24". Pure: today is a
// parameter.
import { parseDay } from 'weft-document/body/parse-body.ts';

export type NamedDay = {
  /** `2026-11-21` */
  readonly day: string;
  /** What the menu calls it, such as "Tomorrow" or "In 3 days"; empty for a written date. */
  readonly name: string;
};

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Around a year such as 2100, which has none. */
const MAX_YEARS_TO_FEBRUARY_29 = 8;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The days that the query names so far; today and tomorrow for an empty one. `today` is the local day. */
export function findDays(query: string, today: string): readonly NamedDay[] {
  const typed = query.trim().toLowerCase();
  const named: readonly NamedDay[] = [
    { name: 'Today', day: today },
    { name: 'Tomorrow', day: addDays(today, 1) },
    { name: 'Yesterday', day: addDays(today, -1) },
  ];
  if (typed === '') return named.slice(0, 2);
  const found = [...named, ...nextWeekdays(today)].filter(({ name }) => name.toLowerCase().startsWith(typed));
  const counted = countedDay(typed, today);
  const written = writtenDay(typed, today);
  return [...found, ...counted, ...(written === null ? [] : [{ name: '', day: written }])];
}

/** In the language of this device. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`));

function nextWeekdays(today: string): readonly NamedDay[] {
  const now = new Date(`${today}T00:00Z`).getUTCDay();
  return WEEKDAYS.map((name, weekday) => ({
    name: name.replace(/^./, (letter) => letter.toUpperCase()),
    // A weekday named on that same day means next week's.
    day: addDays(today, ((weekday - now + 6) % 7) + 1),
  }));
}

/** "in 3 days", "in 2 weeks". */
function countedDay(typed: string, today: string): readonly NamedDay[] {
  const [, count, unit] = /^in (\d{1,3}) (d|w)[a-z]*$/.exec(typed) ?? [];
  if (count === undefined) return [];
  const days = Number(count) * (unit === 'w' ? 7 : 1);
  return [
    { name: `In ${count} ${unit === 'w' ? 'week' : 'day'}${count === '1' ? '' : 's'}`, day: addDays(today, days) },
  ];
}

/** Without a year, the next such day, which may be today. */
function writtenDay(typed: string, today: string): string | null {
  const iso = parseDay(typed);
  if (iso !== null) return realDay(iso);
  const [, d1, m1, y1] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/.exec(typed) ?? [];
  if (d1 !== undefined) return dayOf(y1, Number(m1), Number(d1), today);
  const [, d2, name2, y2] = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?(?: (\d{4}))?$/.exec(typed) ?? [];
  if (d2 !== undefined) return dayOf(y2, MONTHS.indexOf(name2 ?? '') + 1, Number(d2), today);
  const [, name3, d3, y3] = /^([a-z]{3})[a-z]* (\d{1,2})(?:,? (\d{4}))?$/.exec(typed) ?? [];
  return d3 === undefined ? null : dayOf(y3, MONTHS.indexOf(name3 ?? '') + 1, Number(d3), today);
}

function dayOf(year: string | undefined, month: number, date: number, today: string): string | null {
  const inYear = (y: number) => realDay(`${y}-${twoDigits(month)}-${twoDigits(date)}`);
  if (year !== undefined) return inYear(Number(year));
  const thisYear = Number(today.slice(0, 4));
  for (let next = thisYear; next <= thisYear + MAX_YEARS_TO_FEBRUARY_29; next++) {
    const day = inYear(next);
    if (day !== null && day >= today) return day;
  }
  return null;
}

/** Null for February 30, which some browsers read as a day of March. */
function realDay(day: string): string | null {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day ? day : null;
}

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const twoDigits = (n: number): string => String(n).padStart(2, '0');
