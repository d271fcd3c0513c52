import { expect, test } from 'vitest';
import { findDays } from '../../../src/editor/typed-menu/find-days.ts';

/** A Saturday. */
const TODAY = '2026-11-21';
const days = (query: string, today = TODAY) => findDays(query, today).map(({ day }) => day);

test.each([
  ['', ['2026-11-21', '2026-11-22']],
  ['tod', ['2026-11-21']],
  ['to', ['2026-11-21', '2026-11-22']],
  ['yest', ['2026-11-20']],
  ['friday', ['2026-11-27']],
  ['saturday', ['2026-11-28']],
  ['sun', ['2026-11-22']],
  ['in 3 days', ['2026-11-24']],
  ['in 2 weeks', ['2026-12-05']],
  ['2027-02-28', ['2027-02-28']],
  ['2027-02-30', []],
  ['24.12.', ['2026-12-24']],
  ['1.2.', ['2027-02-01']],
  ['24.12.2030', ['2030-12-24']],
  ['24 dec', ['2026-12-24']],
  ['december 24, 2030', ['2030-12-24']],
  ['24 foo', []],
  ['nobody', []],
])('"%s" on a Saturday means %j', (query, expected) => {
  expect(days(query)).toEqual(expected);
});

test('days are counted across the ends of months and years, and across clock changes', () => {
  expect(days('tomorrow', '2026-12-31')).toEqual(['2027-01-01']);
  expect(days('in 1 day', '2028-02-28')).toEqual(['2028-02-29']);
  expect(days('29 feb')).toEqual(['2028-02-29']);
  expect(days('29.2.', '2096-03-01')).toEqual(['2104-02-29']);
  expect(days('in 7 days', '2026-03-25')).toEqual(['2026-04-01']);
});
