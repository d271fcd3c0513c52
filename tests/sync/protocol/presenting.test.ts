import { expect, test } from 'vitest';
import { newBlockId } from 'weft-document/new-block-id.ts';
import { isSamePlace, parsePlace } from 'weft-sync/protocol/place.ts';
import { decodePresenting } from 'weft-sync/protocol/presenting.ts';

const USER = 'b0000000-0000-4000-8000-000000000001';
const TOP = { block: 'top', offset: 0 };
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test('a place is a block’s id and a number of characters, and nothing else', () => {
  const fine = [TOP, { block: newBlockId(), offset: 2 ** 31 - 1 }, { block: 'a_B-9'.padEnd(64, 'x'), offset: 12 }];
  expect(fine.map(parsePlace)).toEqual(fine);
  const wrong = [
    null,
    [],
    'top',
    { block: 'top' },
    { offset: 0 },
    { ...TOP, more: 1 },
    { ...TOP, block: '' },
    { ...TOP, block: 'x'.repeat(65) },
    { ...TOP, block: 'a b' },
    { ...TOP, block: 'é' },
    { ...TOP, block: 'a\n' },
    { ...TOP, offset: -1 },
    { ...TOP, offset: 1.5 },
    { ...TOP, offset: 2 ** 31 },
    { ...TOP, offset: Number.NaN },
    { ...TOP, offset: '0' },
  ];
  expect(wrong.map(parsePlace)).toEqual(wrong.map(() => null));
});

test('two places are the same when both of their parts are', () => {
  expect(isSamePlace(TOP, { ...TOP })).toBe(true);
  expect(isSamePlace(null, null)).toBe(true);
  expect([
    isSamePlace(TOP, null),
    isSamePlace(TOP, { ...TOP, offset: 1 }),
    isSamePlace(TOP, { ...TOP, block: 'b' }),
  ]).toEqual([false, false, false]);
});

test('a message names the presenter, the place and its time, or says that it is over', () => {
  const named = { at: 7, place: TOP, session: USER, user: USER };
  expect(decodePresenting(encode(named))).toEqual(named);
  expect(decodePresenting(encode({ at: 7, place: null }))).toEqual({ at: 7, place: null });
});

test('anything else is no message, however it is malformed', () => {
  for (const value of [null, 7, [], {}, { at: 7 }, { at: -1, place: TOP }, { at: 2 ** 53, place: TOP }, { place: TOP }])
    expect(decodePresenting(encode(value))).toBeNull();
  expect(decodePresenting(encode({ at: 7, place: TOP, user: 'nobody' }))).toBeNull();
  expect(decodePresenting(encode({ at: 7, place: TOP, more: 'x'.repeat(2_000) }))).toBeNull();
  for (const bytes of [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(0x7b)])
    expect(decodePresenting(bytes)).toBeNull();
});
