// Which comments of a page its file has, and under which names.
import { expect, test } from 'vitest';
import { writtenThreads } from '../../../src/features/import-export/written-threads.ts';
import { alice, bob, profiles, userId } from '../../support/app/app-fixture.ts';
import { commentOf, saying, threadOf } from '../../support/app/shown-comments.ts';

const people = new Map(profiles.map((person) => [person.id, person]));

test('a file has the comments that are there, under the names of their authors', () => {
  const resolved = { by: bob.id, at: 9_000 };
  const comments = [
    commentOf(1, 'a', { by: alice.id }),
    commentOf(2, 'deleted', { body: null }),
    commentOf(3, 'waits', { state: 'device' }),
    commentOf(4, 'no one else has it', { state: 'refused' }),
    commentOf(5, 'b', { by: null }),
    commentOf(6, 'c', { by: userId(99) }),
  ];
  const [thread, ...others] = writtenThreads(
    [threadOf(1, comments, { resolved }), threadOf(2, [commentOf(7, 'x', { state: 'refused' })])],
    people,
  );
  expect(others).toEqual([]);
  expect(thread).toEqual({
    anchor: threadOf(1, []).anchor,
    isResolved: true,
    comments: [
      { by: 'Alice Nwosu', at: 1_000, body: saying('a') },
      { by: 'Bob Holm', at: 3_000, body: saying('waits') },
      { by: 'Someone who left', at: 5_000, body: saying('b') },
      { by: 'Someone', at: 6_000, body: saying('c') },
    ],
  });
});
