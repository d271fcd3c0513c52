import { expect, test } from 'vitest';
import { indexOf } from '../../../../src/state/workspace/tree/page-index.ts';
import { isChanged, unreadOf } from '../../../../src/state/workspace/tree/unread.ts';
import { alice, bob, documentId, pageSummary } from '../../../support/app/app-fixture.ts';

const byBob = { updatedAt: 20, updatedBy: bob.id };
const unread = (pages: readonly ReturnType<typeof pageSummary>[], read: readonly number[] = []) => {
  const marks = unreadOf(
    indexOf(pages),
    (page) => isChanged(page, alice.id) && !read.some((n) => documentId(n) === page.id),
  );
  const numbers = (ids: ReadonlySet<string>) => [1, 2, 3].filter((n) => ids.has(documentId(n)));
  return { pages: numbers(marks.pages), above: numbers(marks.above) };
};

test('a page is unread if someone else changed it after this person’s last visit', () => {
  const of = (more: Parameters<typeof pageSummary>[2]) => unread([pageSummary(1, 'Plan', more)]).pages;
  expect(of({ ...byBob, visitedAt: 10 })).toEqual([1]);
  expect(of({ ...byBob, visitedAt: 20 })).toEqual([]);
  expect(of({ ...byBob, visitedAt: null })).toEqual([]);
  expect(of({ updatedAt: 20, updatedBy: alice.id, visitedAt: 10 })).toEqual([]);
  // The author deleted their account.
  expect(of({ updatedAt: 20, updatedBy: null, visitedAt: 10 })).toEqual([1]);
});

test('the pages above an unread one are known, and a page that was read here counts for neither', () => {
  const pages = [
    pageSummary(1, 'Swim'),
    pageSummary(2, 'Plan', { parentId: documentId(1) }),
    pageSummary(3, 'Waves', { parentId: documentId(2), ...byBob, visitedAt: 10 }),
  ];
  expect(unread(pages)).toEqual({ pages: [3], above: [1, 2] });
  expect(unread(pages, [3])).toEqual({ pages: [], above: [] });
});
