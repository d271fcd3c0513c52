import { expect, test } from 'vitest';
import { pathTo, treeOf } from '../../../src/state/workspace/page-tree.ts';
import { documentId, pageSummary } from '../../support/app/app-fixture.ts';

const pages = [
  pageSummary(3, 'c', { parentId: documentId(1), rank: 'b' }),
  pageSummary(1, 'a', { rank: 'V' }),
  pageSummary(2, 'b', { rank: 'U' }),
  pageSummary(4, 'd', { parentId: documentId(1), rank: 'a' }),
  pageSummary(5, 'e', { parentId: documentId(77), rank: 'Z' }),
];

test('the tree is ordered by rank, with children below their parent and pages without a visible parent at the top', () => {
  const names = (nodes: ReturnType<typeof treeOf>): unknown[] =>
    nodes.map(({ page: one, children }) => (children.length === 0 ? one.title : [one.title, ...names(children)]));
  expect(names(treeOf(pages))).toEqual(['b', ['a', 'd', 'c'], 'e']);
});

test('the path to a page contains its ancestors, and ends on a cycle', () => {
  expect(pathTo(pages, documentId(3)).map(({ title }) => title)).toEqual(['a']);
  const cycle = [pageSummary(1, 'a', { parentId: documentId(2) }), pageSummary(2, 'b', { parentId: documentId(1) })];
  expect(pathTo(cycle, documentId(1)).length).toBeLessThanOrEqual(2);
});
