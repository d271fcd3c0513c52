import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { countBelow, indexOf, isInSubtree, levelsOf, pathTo } from '../../../../src/state/workspace/tree/page-index.ts';
import { documentId, pageSummary } from '../../../support/app/app-fixture.ts';

const pages = [
  pageSummary(3, 'c', { parentId: documentId(1), rank: 'b' }),
  pageSummary(1, 'a', { rank: 'V' }),
  pageSummary(2, 'b', { rank: 'U' }),
  pageSummary(4, 'd', { parentId: documentId(1), rank: 'a' }),
  pageSummary(5, 'e', { parentId: documentId(77), rank: 'Z' }),
];

test('pages are ordered by rank, and those without a visible parent are at the top', () => {
  const index = indexOf(pages);
  const titles = (parent: DocumentId | null) => index.below.get(parent)?.map((id) => index.pages.get(id)?.title);
  expect(titles(null)).toEqual(['b', 'a', 'e']);
  expect(titles(documentId(1))).toEqual(['d', 'c']);
  expect([countBelow(index, documentId(1)), levelsOf(index, documentId(1)), levelsOf(index, documentId(2))]).toEqual([
    2, 2, 1,
  ]);
});

test('the path to a page contains its ancestors', () => {
  const index = indexOf(pages);
  expect(pathTo(index, documentId(3)).map(({ title }) => title)).toEqual(['a']);
  expect([
    isInSubtree(index, documentId(3), documentId(1)),
    isInSubtree(index, documentId(1), documentId(1)),
    isInSubtree(index, documentId(1), documentId(3)),
  ]).toEqual([true, true, false]);
});

test('what did not change keeps its identity: pages, and lists of pages below a page', () => {
  const before = indexOf(pages);
  const after = indexOf(
    pages.map((page) => (page.id === documentId(2) ? { ...page, title: 'B' } : { ...page })),
    before,
  );
  expect(after.pages.get(documentId(1))).toBe(before.pages.get(documentId(1)));
  expect(after.pages.get(documentId(2))?.title).toBe('B');
  expect(after.below.get(null)).toBe(before.below.get(null));
});

test('of pages that are below each other, the first one is at the top, in its place by rank', () => {
  const { below } = indexOf([
    ...pages,
    pageSummary(6, 'f', { parentId: documentId(7), rank: 'Ua' }),
    pageSummary(7, 'g', { parentId: documentId(6), rank: 'Y' }),
  ]);
  expect(below.get(null)).toEqual([2, 6, 1, 5].map(documentId));
  expect([below.get(documentId(6)), below.get(documentId(7))]).toEqual([[documentId(7)], undefined]);
});

test('every page is reachable from the top exactly once, whatever the parents are', () => {
  const anyPages = fc
    .array(fc.nat(12), { maxLength: 12 })
    .map((parents) =>
      parents.map((parent, n) => pageSummary(n + 1, `${n}`, { parentId: parent === 0 ? null : documentId(parent) })),
    );
  fc.assert(
    fc.property(anyPages, (list) => {
      const { below } = indexOf(list);
      const walk = (parent: DocumentId | null): readonly DocumentId[] =>
        (below.get(parent) ?? []).flatMap((id) => [id, ...walk(id)]);
      expect(walk(null).toSorted()).toEqual(list.map(({ id }) => id).toSorted());
    }),
  );
});
