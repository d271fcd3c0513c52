import { expect, test } from 'vitest';
import { dateOf, dayAndTime, dayOf, daysAgo, shortDate, timeOf } from '../../src/lib/text/times.ts';

const now = new Date(2026, 5, 10, 9, 5).getTime();
const on = (month: number, day: number, hour = 12, year = 2026): number =>
  new Date(year, month, day, hour, 3).getTime();

test('a time has two digits for hours and minutes, from 00 to 23', () => {
  expect([timeOf(now), timeOf(on(5, 10, 0)), timeOf(on(5, 10, 23))]).toEqual(['09:05', '00:03', '23:03']);
});

test('a day is today, yesterday, a weekday within the week, or its date', () => {
  expect([on(5, 10, 0), on(5, 9, 23), on(5, 4), on(5, 3), on(5, 11)].map((at) => dayOf(at, now))).toEqual([
    'today',
    'yesterday',
    'Thursday',
    '3 June',
    '11 June',
  ]);
});

test('a day of another year has its year', () => {
  expect([dateOf(on(5, 14), now), dateOf(on(0, 2, 12, 2027), now)]).toEqual(['14 June', '2 January 2027']);
});

test('the short date of today is its time, of other days the day; a clock that is behind says the time too', () => {
  expect([on(5, 10, 8), on(5, 9, 8), on(5, 10, 22)].map((at) => shortDate(at, now))).toEqual([
    '08:03',
    'yesterday',
    '22:03',
  ]);
});

test('the time of another day has the day before it', () => {
  expect([on(5, 10, 8), on(5, 9, 8)].map((at) => dayAndTime(at, now))).toEqual(['08:03', 'yesterday, 08:03']);
});

test('days are counted over the change of summer time', () => {
  expect(daysAgo(on(2, 20), on(10, 2))).toBe(227);
});
