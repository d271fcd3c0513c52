import { expect, test } from 'vitest';
import { inTextOrder, listedThreads, threadAfter } from '../../../src/features/comments/listed-threads.ts';
import { commentOf, threadId, threadOf } from '../../support/app/shown-comments.ts';

const resolved = { by: null, at: 1 };
const threads = [
  threadOf(1, [commentOf(1, 'a')]),
  threadOf(2, [commentOf(2, 'b')], { resolved }),
  threadOf(3, [commentOf(3, 'c')]),
];
const list = (filter: 'open' | 'all' | 'resolved' | 'unread', active = 0) =>
  listedThreads(threads, {
    filter,
    unread: new Set([threadId(2)]),
    active: active === 0 ? null : threadId(active),
  }).map(({ id }) => threads.findIndex((one) => one.id === id) + 1);

test('lists what the filter names, and the open thread in any case', () => {
  expect(list('open')).toEqual([1, 3]);
  expect(list('all')).toEqual([1, 2, 3]);
  expect(list('resolved')).toEqual([2]);
  expect(list('unread')).toEqual([2]);
  expect(list('open', 2)).toEqual([1, 2, 3]);
});

test('threads come in the order of their words; without words they come last, the oldest first', () => {
  const ranks = new Map([
    [threadId(3), 0],
    [threadId(1), 1],
  ]);
  expect(inTextOrder(threads, ranks).map(({ id }) => id)).toEqual([3, 1, 2].map(threadId));
});

test('next and previous go around the end', () => {
  const after = (active: number, steps: 1 | -1) => threadAfter(threads, active === 0 ? null : threadId(active), steps);
  expect(after(3, 1)?.id).toBe(threadId(1));
  expect(after(1, -1)?.id).toBe(threadId(3));
  expect(after(0, 1)?.id).toBe(threadId(1));
  expect(after(0, -1)?.id).toBe(threadId(3));
  expect(threadAfter([], null, 1)).toBeUndefined();
});
