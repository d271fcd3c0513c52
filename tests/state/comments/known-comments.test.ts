// Answers of the server, put together: whatever their order, the newest state stays.
import { expect, test } from 'vitest';
import type { ChangedThread, CommentList, Thread } from '../../../src/protocol/comments.ts';
import { parseStoredComments, peopleIn, withList, withThread } from '../../../src/state/comments/known-comments.ts';
import { alice, bob, documentId, userId } from '../../support/app/app-fixture.ts';
import { PAGE_ANCHOR, commentId, paragraph, threadId } from '../../support/app/memory-comments.ts';

const threadAt = (n: number, change: number): Thread => ({
  id: threadId(n),
  anchor: PAGE_ANCHOR,
  by: alice.id,
  at: n,
  resolved: null,
  change,
  comments: [
    { id: commentId(n), by: alice.id, at: n, editedAt: null, body: paragraph(`${change}`), change: 1, reactions: [] },
  ],
});
const list = (change: number, threads: readonly ChangedThread[], readChange = 0): CommentList => ({
  document: documentId(1),
  change,
  readChange,
  mayComment: true,
  threads,
});
const removed = { id: threadId(1), removed: true } as const;

test('in every order of answers, each thread is as in its newest one', () => {
  const answers = [list(2, [threadAt(1, 1), threadAt(2, 2)]), list(4, [threadAt(1, 4)], 3), list(3, [threadAt(2, 3)])];
  for (const order of [
    [0, 1, 2],
    [1, 0, 2],
    [2, 1, 0],
    [0, 2, 1],
    [1, 2, 0],
    [2, 0, 1],
  ]) {
    const known = order.reduce((all, at) => withList(all, answers[at] ?? list(0, [])), list(0, []));
    expect(known).toMatchObject({ change: 4, readChange: 3 });
    expect(Object.fromEntries(known.threads.map((one) => [one.id, 'removed' in one ? 0 : one.change]))).toEqual({
      [threadId(1)]: 4,
      [threadId(2)]: 3,
    });
  }
});

test('an older answer does not bring a removed thread back', () => {
  const known = withThread(list(1, [threadAt(1, 1)]), removed);
  expect(withList(known, list(1, [threadAt(1, 1)])).threads).toEqual([removed]);
  expect(withThread(known, threadAt(1, 2)).threads).toEqual([removed]);
});

test('the answer to a write does not hide changes of others before it from the next list', () => {
  expect(withThread(list(1, []), threadAt(1, 5)).change).toBe(1);
});

test('threads that an answer does not name are the same objects', () => {
  const before = list(1, [threadAt(1, 1), threadAt(2, 1)]);
  expect(withThread(before, threadAt(2, 2)).threads[0]).toBe(before.threads[0]);
});

test('everyone in the comments is named: authors, those who resolved, those who reacted', () => {
  const carol = userId(3);
  const thread = threadAt(1, 1);
  const comments = thread.comments.map((one) => ({ ...one, by: null, reactions: [{ emoji: '👍', by: [carol] }] }));
  const known = list(1, [{ ...thread, resolved: { by: bob.id, at: 1 }, comments }, removed]);
  expect(peopleIn(known)).toEqual([alice.id, bob.id, carol]);
});

test('a copy on the device is read as it was stored, a damaged one not at all', () => {
  const known = list(
    2,
    [
      { ...threadAt(1, 1), resolved: { by: null, at: 5 } },
      { id: threadId(2), removed: true },
    ],
    1,
  );
  expect(parseStoredComments(structuredClone(known))).toEqual(known);
  expect(parseStoredComments({ ...known, threads: [{ id: 'x' }] })).toBeNull();
});
