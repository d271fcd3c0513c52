import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { dropGoal } from '../../../src/features/page-tree/drop-goal.ts';
import { visibleRows } from '../../../src/features/page-tree/visible-rows.ts';
import { indexOf, isInSubtree } from '../../../src/state/workspace/tree/page-index.ts';
import { rankAt } from '../../../src/state/workspace/tree/places.ts';
import { documentId, pageSummary } from '../../support/app/app-fixture.ts';

// 1
//   2
//   3
//     4
// 5
const pages = [
  pageSummary(1, 'one', { rank: 'a0' }),
  pageSummary(2, 'two', { rank: 'a0', parentId: documentId(1) }),
  pageSummary(3, 'three', { rank: 'a1', parentId: documentId(1) }),
  pageSummary(4, 'four', { rank: 'a0', parentId: documentId(3) }),
  pageSummary(5, 'five', { rank: 'a1' }),
];
const index = indexOf(pages);
const rows = visibleRows(index, new Set());
const goalOf = (dragged: number, y: number, depth: number) => dropGoal(rows, index, documentId(dragged), { y, depth });
const place = (parent: number | null, after: number | null) => ({
  parent: parent === null ? null : documentId(parent),
  after: after === null ? null : documentId(after),
});

describe('where a dragged row goes', () => {
  test('into the row under the pointer, as its last page', () => {
    expect(goalOf(5, 2.5, 0)).toEqual({ place: place(3, 4), line: null });
  });

  test('between two rows, at the depth of the pointer', () => {
    expect(goalOf(5, 4.05, 2)?.place).toEqual(place(3, 4));
    expect(goalOf(5, 3.95, 1)).toEqual({ place: place(1, 3), line: { above: 4, depth: 1 } });
    expect(goalOf(2, 4.05, 0)).toEqual({ place: place(null, 1), line: { above: 4, depth: 0 } });
  });

  test('as the first page of an open row, right below it', () => {
    expect(goalOf(5, 1.05, 3)?.place).toEqual(place(1, null));
    expect(goalOf(5, 0.95, 0)?.place).toEqual(place(1, null));
  });

  test('above the first row and below the last one', () => {
    expect(goalOf(5, -3, 0)?.place).toEqual(place(null, null));
    expect(goalOf(2, 40, 0)?.place).toEqual(place(null, 5));
  });

  test('not into itself or below itself, and not where it is', () => {
    expect(goalOf(1, 2.5, 0)).toBeNull();
    expect(goalOf(3, 3.5, 0)).toBeNull();
    expect(goalOf(5, 4.5, 0)).toBeNull();
    expect(goalOf(3, 2.1, 1)).toBeNull();
    expect(goalOf(3, 3.9, 1)).toBeNull();
  });

  test('anywhere: a goal never makes a cycle, and its rank puts the page there', () => {
    const trees = fc.array(fc.tuple(fc.nat(), fc.nat(3)), { minLength: 1, maxLength: 25 }).map((made) =>
      made.map(([above, rank], n) =>
        pageSummary(n + 1, `${n + 1}`, {
          rank: `a${rank}`,
          parentId: above % (n + 1) === n ? null : documentId((above % (n + 1)) + 1),
        }),
      ),
    );
    fc.assert(
      fc.property(trees, fc.nat(), fc.double({ min: -1, max: 26, noNaN: true }), fc.nat(8), (tree, which, y, depth) => {
        const before = indexOf(tree);
        const dragged = documentId((which % tree.length) + 1);
        const goal = dropGoal(visibleRows(before, new Set()), before, dragged, { y, depth });
        if (goal === null) return;
        const { parent, after } = goal.place;
        expect(parent !== null && isInSubtree(before, parent, dragged)).toBe(false);
        const rank = rankAt(before, dragged, goal.place);
        const moved = indexOf(tree.map((page) => (page.id === dragged ? { ...page, parentId: parent, rank } : page)));
        const siblings: readonly DocumentId[] = moved.below.get(parent) ?? [];
        const rankOf = (id: DocumentId) => moved.pages.get(id)?.rank ?? '';
        // Siblings with one rank stand in the order of their ids, and nothing fits between them.
        const behind = after === null ? '' : rankOf(after);
        expect(rank >= behind).toBe(true);
        expect(siblings.includes(dragged)).toBe(true);
        const later = siblings.slice(after === null ? 0 : siblings.indexOf(after) + 1);
        const higher = later.filter((next) => next !== dragged && rankOf(next) !== behind);
        expect(higher.every((next) => rank <= rankOf(next))).toBe(true);
      }),
    );
  });
});
