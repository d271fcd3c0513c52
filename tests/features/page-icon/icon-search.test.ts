import { afterEach, expect, test, vi } from 'vitest';
import { findIcons, stepInGrid } from '../../../src/features/page-icon/icon-search.ts';
import { PAGE_ICONS } from '../../../src/ui/page-icon/icon-set.ts';

afterEach(() => vi.restoreAllMocks());

const found = (query: string) => findIcons(PAGE_ICONS, query).map(({ name }) => name);

test('icons are found by the beginnings of their names and words, all of which must match', () => {
  expect(found('ship')).toContain('ship');
  expect(found('HARB sea')).toContain('anchor');
  expect(found('life-buoy')).toEqual(['life-buoy']);
  expect(found('harbour nothing')).toEqual([]);
  expect(found('')).toHaveLength(PAGE_ICONS.length);
});

test('a Turkish browser finds icons by capital letters too', () => {
  vi.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function lower(this: string) {
    return this.replaceAll('I', 'ı').toLowerCase();
  });
  expect(found('IDEA')).toContain('lightbulb');
});

test('every icon has a name that the database takes, once', () => {
  expect(PAGE_ICONS.filter(({ name }) => !/^[a-z0-9-]{1,64}$/.test(name))).toEqual([]);
  expect(new Set(PAGE_ICONS.map(({ name }) => name)).size).toBe(PAGE_ICONS.length);
});

test('arrow keys move in the grid and stop at its edges', () => {
  const step = (key: string, at: number) => stepInGrid(key, at, 20, 8);
  expect([step('ArrowRight', 0), step('ArrowDown', 3), step('ArrowUp', 11)]).toEqual([1, 11, 3]);
  expect([step('ArrowLeft', 0), step('ArrowUp', 3), step('ArrowDown', 13), step('x', 3)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
