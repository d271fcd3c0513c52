import { expect, test } from 'vitest';
import { findInsertables } from '../../../src/editor/typed-menu/find-insertables.ts';
import { INSERTABLES } from '../../../src/editor/typed-menu/insertables.ts';

const names = (query: string, recent: readonly string[] = []) =>
  findInsertables(INSERTABLES, query, recent).map(({ insertable }) => insertable.name);

test('every entry has a unique id', () => {
  const ids = INSERTABLES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('with nothing typed everything is offered once, the recent ones on top, latest first', () => {
  expect(names('').toSorted()).toEqual(INSERTABLES.map(({ name }) => name).toSorted());
  const found = findInsertables(INSERTABLES, '', ['quote', 'bullet', 'no-longer-there']);
  expect(found.slice(0, 3).map(({ insertable, group }) => [insertable.name, group])).toEqual([
    ['Quote', 'Recent'],
    ['Bullet', 'Recent'],
    ['Text', 'Text'],
  ]);
  expect(found.length).toBe(INSERTABLES.length);
});

test.each([
  ['head', ['Heading 1', 'Heading 2', 'Heading 3']],
  ['heading 2', ['Heading 2']],
  ['heading2', ['Heading 2']],
  ['h2', ['Heading 2']],
  ['todo', ['Task']],
  ['##', ['Heading 2']],
  ['warn', ['Warning']],
  ['call tip', ['Tip']],
  ['hr', ['Divider']],
  ['zzz', []],
])('"%s" finds %j', (query, found) => {
  expect(names(query).slice(0, Math.max(1, found.length))).toEqual(found);
});

test('among equals the recent one comes first', () => {
  expect(names('head', ['heading-3'])[0]).toBe('Heading 3');
});
