import { expect, test } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import {
  TITLE_ORIGIN,
  applyChange,
  changeTitle,
  cleanTitle,
  fittingChange,
  mapIndex,
  mapRange,
  readTitle,
  textChange,
  titleText,
} from 'weft-document/title.ts';
import * as Y from 'yjs';

test('a title is one line of at most 200 characters as Postgres counts them', () => {
  expect(cleanTitle('a\r\nb\t\u0000c')).toBe('a b c');
  expect(Array.from(cleanTitle('😀'.repeat(250))).length).toBe(200);
});

test('lists show it without outer spaces', () => {
  const doc = new Y.Doc();
  titleOf(doc).insert(0, '  Plan\n ');
  expect(titleText(doc)).toBe('Plan');
});

test('a change is one local edit with its origin, and an empty change is none', () => {
  const doc = new Y.Doc();
  const seen: unknown[] = [];
  doc.on('update', (_update: Uint8Array, origin: unknown) => seen.push(origin));
  changeTitle(doc, textChange('', 'Plan'));
  changeTitle(doc, textChange('Plan', 'Plan'));
  changeTitle(doc, textChange('Plan', 'Plot'));
  expect(titleOf(doc).toString()).toBe('Plot');
  expect(seen).toEqual([TITLE_ORIGIN, TITLE_ORIGIN]);
});

test('in a full title what is typed is left out, wherever it is, and not the end', () => {
  const full = `${'a'.repeat(100)}${'b'.repeat(100)}`;
  const typed = (before: string, after: string) => {
    const { change, isCut } = fittingChange(before, after);
    return [applyChange(before, change), isCut];
  };
  expect(typed(full, `${'a'.repeat(100)}xyz${'b'.repeat(100)}`)).toEqual([full, true]);
  expect(typed(full.slice(1), `${full.slice(1, 100)}😀😀${full.slice(100)}`)).toEqual([
    `${full.slice(1, 100)}😀${full.slice(100)}`,
    true,
  ]);
  expect(typed(full, `${full.slice(0, -1)}z`)).toEqual([`${full.slice(0, -1)}z`, false]);
  expect(typed(`${full}more`, `x${full}more`)).toEqual([`x${full.slice(0, 199)}`, true]);
});

test('no change cuts a surrogate pair', () => {
  expect(textChange('a😀b', 'a😃b')).toEqual({ index: 1, remove: 2, insert: '😃' });
});

test('an index stays at its character when others change the text', () => {
  const change = { index: 3, remove: 2, insert: 'xyz' };
  expect([0, 3, 4, 5, 6].map((at) => mapIndex(at, change))).toEqual([0, 3, 6, 6, 7]);
});

test('only the beginning of a title of a million characters is read, and no half character', () => {
  const doc = new Y.Doc();
  titleOf(doc).insert(0, `${'x'.repeat(999)}😀${'y'.repeat(1e6)}`);
  expect(readTitle(doc)).toBe('x'.repeat(999));
  expect(titleText(doc)).toBe('x'.repeat(200));
});

test.each([
  ['characters that no one sees', (doc: Y.Doc) => titleOf(doc).insert(0, 'x'.repeat(1e6)), 'x'.repeat(1000)],
  ['an object', (doc: Y.Doc) => titleOf(doc).applyDelta([{ insert: { a: 1 } }, { insert: 'Plan' }]), 'Plan'],
])('the first change of a title with %s leaves only what was typed', (_what, spoil, shown) => {
  const doc = new Y.Doc();
  spoil(doc);
  expect(readTitle(doc)).toBe(shown);
  changeTitle(doc, textChange(shown, 'Mine'));
  expect(titleOf(doc).toDelta()).toEqual([{ insert: 'Mine' }]);
});

test('half characters, which the database refuses, are replaced', () => {
  expect(cleanTitle('a\uD83Db')).toBe('a\uFFFDb');
});

test('of a range stays what others did not remove, around what they inserted', () => {
  const change = { index: 3, remove: 2, insert: 'xyz' };
  const mapped = (from: number, to: number) => mapRange([from, to], change);
  expect(mapped(0, 3)).toEqual([[0, 3]]);
  expect(mapped(2, 7)).toEqual([
    [2, 3],
    [6, 8],
  ]);
  expect(mapped(3, 5)).toEqual([]);
  expect(mapped(4, 6)).toEqual([[6, 7]]);
  expect(mapped(5, 7)).toEqual([[6, 8]]);
});
