// Which waiting changes a newer one replaces.
import { expect, test } from 'vitest';
import type { CommentChange } from '../../../src/ports/comments.ts';
import { discardedWith, folded } from '../../../src/state/comments/fold-changes.ts';
import { documentId } from '../../support/app/app-fixture.ts';
import { PAGE_ANCHOR, commentId, paragraph, threadId } from '../../support/app/memory-comments.ts';

let made = 0;
const stamp = (thread = 1) => {
  made += 1;
  return { key: `key ${made}`, page: documentId(1), thread: threadId(thread), madeAt: made, refused: null };
};
const start = (comment: number, thread = 1) =>
  ({
    ...stamp(thread),
    kind: 'start',
    comment: commentId(comment),
    anchor: PAGE_ANCHOR,
    body: paragraph('a'),
  }) satisfies CommentChange;
const reply = (comment: number) =>
  ({ ...stamp(), kind: 'reply', comment: commentId(comment), body: paragraph('b') }) satisfies CommentChange;
const edit = (comment: number, words = 'c') =>
  ({ ...stamp(), kind: 'edit', comment: commentId(comment), body: paragraph(words) }) satisfies CommentChange;
const remove = (comment: number) =>
  ({ ...stamp(), kind: 'remove', comment: commentId(comment) }) satisfies CommentChange;
const resolve = (isResolved: boolean) => ({ ...stamp(), kind: 'resolve', isResolved }) satisfies CommentChange;
const react = (comment: number, emoji: string, isSet = true) =>
  ({ ...stamp(), kind: 'react', comment: commentId(comment), emoji, isSet }) satisfies CommentChange;

test('an edit of a waiting comment becomes its words, in its place in the order, and clears its rejection', () => {
  const [waiting, other] = [{ ...reply(1), refused: 'WF021' } as const, reply(2)];
  const changed = edit(1, 'changed');
  expect(folded(changed, [waiting, other])).toEqual({
    change: { ...waiting, key: changed.key, body: paragraph('changed'), refused: null, isChanged: true },
    replaced: [waiting],
  });
});

test('of two edits, resolutions, or reactions with one emoji, the last one is sent', () => {
  const idle = [edit(1), resolve(true), react(1, '👍'), react(1, '🎉'), react(2, '👍'), edit(2)];
  const [firstEdit, resolved, thumb] = idle;
  expect(folded(edit(1), idle).replaced).toEqual([firstEdit]);
  expect(folded(resolve(false), idle).replaced).toEqual([resolved]);
  expect(folded(react(1, '👍', false), idle).replaced).toEqual([thumb]);
});

test('what waits of another thread is never replaced', () => {
  const idle = [start(1, 2)];
  expect(folded(resolve(true), idle).replaced).toEqual([]);
  expect(folded(start(3), idle).replaced).toEqual([]);
});

test('a removed comment takes with it what waits of it; a thread goes with its only comment, but not with its replies', () => {
  const [first, second, thumb] = [start(1), reply(2), react(1, '👍')];
  expect(folded(remove(2), [first, second, thumb]).replaced).toEqual([second]);
  expect(folded(remove(1), [first, thumb, resolve(true)]).replaced).toHaveLength(3);
  expect(folded(remove(1), [first, second, thumb]).replaced).toEqual([thumb]);
  // The reply itself is on its way.
  expect(folded(remove(1), [first, edit(2), thumb]).replaced).toEqual([thumb]);
});

test('discarding a rejected comment takes what depends on it, discarding a rejected edit only the edit', () => {
  const [first, second, thumb] = [start(1), reply(2), react(2, '👍')];
  const rejected = { ...edit(3), refused: 'WF002' } as const;
  const idle = [first, second, thumb, rejected, react(3, '👍')];
  expect(discardedWith(commentId(2), idle)).toEqual([second, thumb]);
  expect(discardedWith(commentId(1), idle)).toEqual(idle);
  expect(discardedWith(commentId(3), idle)).toEqual([rejected]);
});
