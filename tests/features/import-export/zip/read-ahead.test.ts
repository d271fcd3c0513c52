// Reading a few items ahead: in order, bounded, and without leaving anything behind.
import { expect, test } from 'vitest';
import { readAhead } from '../../../../src/features/import-export/zip/read-ahead.ts';

const items = Array.from({ length: 10 }, (_, n) => n);

test('reads ahead, in order, and no further than asked', async () => {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const values = readAhead(items, {
    ahead: 3,
    read: (item) => {
      begun++;
      return new Promise<string>((resolve) => waiting.push(() => resolve(`page ${item}`)));
    },
    drop: () => undefined,
  });
  const first = values.next();
  expect(begun).toBe(4);
  // The later ones are answered first.
  for (const answer of waiting.splice(0).toReversed()) answer();
  expect((await first).value).toEqual([0, 'page 0']);
  // Nothing more is read while the first one is in use.
  expect(begun).toBe(4);
  const got = [];
  for (;;) {
    const next = values.next();
    for (const answer of waiting.splice(0).toReversed()) answer();
    const { value, done } = await next;
    if (done === true) break;
    got.push(value);
  }
  expect(got).toEqual(items.slice(1).map((item) => [item, `page ${item}`]));
});

test('a failure comes at its place, and what was read and not used is dropped', async () => {
  const dropped: number[] = [];
  const got: number[] = [];
  const run = async () => {
    const values = readAhead(items, {
      ahead: 3,
      read: async (item) => {
        if (item === 2) throw new Error('gone');
        return item;
      },
      drop: (item) => void dropped.push(item),
    });
    for await (const [item] of values) got.push(item);
  };
  await expect(run()).rejects.toThrow('gone');
  expect(got).toEqual([0, 1]);
  await expect.poll(() => dropped).toEqual([3, 4, 5]);
});
