import { expect, test } from 'vitest';
import {
  type ThreadFilter,
  inTextOrder,
  listedThreads,
  threadAfter,
} from '../../../src/features/comments/listed-threads.ts';
import { alice, bob, userId } from '../../support/app/app-fixture.ts';
import { commentOf, saying, threadId, threadOf } from '../../support/app/shown-comments.ts';

const resolved = { by: null, at: 1 };
const threads = [
  threadOf(1, [commentOf(1, 'a')]),
  threadOf(2, [commentOf(2, 'b')], { resolved }),
  threadOf(3, [commentOf(3, 'c')]),
];
const list = (
  state: ThreadFilter['state'],
  active = 0,
  of: ThreadFilter['of'] = 'anyone',
  news: readonly number[] = [],
) =>
  listedThreads(threads, {
    filter: { state, of },
    me: alice.id,
    unread: new Set([threadId(2)]),
    news: new Set(news.map(threadId)),
    active: active === 0 ? null : threadId(active),
  }).map(({ id }) => threads.findIndex((one) => one.id === id) + 1);

test('lists what the filter names, and the open thread in any case', () => {
  expect(list('open')).toEqual([1, 3]);
  expect(list('all')).toEqual([1, 2, 3]);
  expect(list('resolved')).toEqual([2]);
  expect(list('unread')).toEqual([2]);
  expect(list('open', 2)).toEqual([1, 2, 3]);
});

test('what is unread is listed under each filter', () => {
  expect(list('open', 0, 'anyone', [2])).toEqual([1, 2, 3]);
  expect(list('all', 0, userId(9), [2, 3])).toEqual([2, 3]);
});

test('“mine” lists threads that this person began, answered or is mentioned in; a person, those with a comment by them', () => {
  const naming = [{ kind: 'paragraph' as const, runs: [{ text: '@Alice', mention: alice.id }] }];
  const all = [
    threadOf(1, [commentOf(1, 'began')], { by: alice.id }),
    threadOf(2, [commentOf(2, 'of Bob'), commentOf(3, 'answered', { by: alice.id })]),
    threadOf(3, [commentOf(4, '', { body: naming })], { resolved }),
    threadOf(4, [commentOf(5, 'Alice, but no mention')]),
    threadOf(5, [commentOf(6, ''), commentOf(7, 'gone', { by: alice.id, body: null })]),
    threadOf(6, [commentOf(8, '', { by: null, body: saying('by someone who left') })], { by: null }),
  ];
  const of = (filter: ThreadFilter) =>
    listedThreads(all, { filter, me: alice.id, unread: new Set(), news: new Set(), active: null }).map(
      ({ change }) => change,
    );
  expect(of({ state: 'all', of: 'mine' })).toEqual([1, 2, 3]);
  expect(of({ state: 'open', of: 'mine' })).toEqual([1, 2]);
  expect(of({ state: 'resolved', of: 'mine' })).toEqual([3]);
  expect(of({ state: 'all', of: bob.id })).toEqual([1, 2, 3, 4, 5]);
  expect(of({ state: 'all', of: alice.id })).toEqual([2]);
  expect(of({ state: 'all', of: userId(9) })).toEqual([]);
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
