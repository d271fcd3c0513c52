import { expect, test } from 'vitest';
import { stepOf, tabStop, visibleRows } from '../../../src/features/page-tree/tree-keys.ts';
import { SHORTCUTS } from '../../../src/editor/shortcuts.ts';
import { treeOf } from '../../../src/state/workspace/page-tree.ts';
import { documentId, pageSummary } from '../../support/app/app-fixture.ts';

const [first, child, grandchild, second] = [documentId(1), documentId(2), documentId(3), documentId(4)] as const;
const nodes = treeOf([
  pageSummary(1, 'First', { rank: 'a0' }),
  pageSummary(2, 'Child', { parentId: first }),
  pageSummary(3, 'Grandchild', { parentId: child }),
  pageSummary(4, 'Second', { rank: 'a1' }),
]);
const all = visibleRows(nodes, new Set());
const childClosed = visibleRows(nodes, new Set([child]));

test('rows below a closed page are not on the screen', () => {
  expect(all.map(({ id, isOpen }) => [id, isOpen])).toEqual([
    [first, true],
    [child, true],
    [grandchild, null],
    [second, null],
  ]);
  expect(childClosed.map(({ id }) => id)).toEqual([first, child, second]);
});

test('the tree always has one stop, also when the row that had it is gone', () => {
  expect(tabStop(all, null, grandchild)).toBe(grandchild);
  expect(tabStop(all, second, grandchild)).toBe(second);
  expect(tabStop(childClosed, grandchild, null)).toBe(first);
  expect(tabStop([], null, first)).toBeNull();
});

test('arrows walk the rows, open and close', () => {
  const step = (id: typeof first, key: string, rows = all) => stepOf(rows, id, key);
  expect(step(first, 'ArrowDown')).toEqual({ do: 'focus', id: child });
  expect(step(second, 'ArrowUp')).toEqual({ do: 'focus', id: grandchild });
  expect([step(first, 'ArrowUp'), step(second, 'ArrowDown')]).toEqual([null, null]);
  expect(step(child, 'ArrowRight', childClosed)).toEqual({ do: 'open', id: child });
  expect(step(child, 'ArrowRight')).toEqual({ do: 'focus', id: grandchild });
  expect(step(grandchild, 'ArrowRight')).toBeNull();
  expect(step(child, 'ArrowLeft')).toEqual({ do: 'close', id: child });
  expect(step(grandchild, 'ArrowLeft')).toEqual({ do: 'focus', id: child });
  expect(step(second, 'ArrowLeft')).toBeNull();
  expect(step(second, 'Home')).toEqual({ do: 'focus', id: first });
  expect(step(first, 'End')).toEqual({ do: 'focus', id: second });
  expect(step(second, 'Enter')).toBeNull();
});

test('the help lists every key of the tree', () => {
  const listed = SHORTCUTS.filter(({ scope }) => scope === 'tree').flatMap(({ shortcuts }) =>
    shortcuts.flatMap(({ keys }) => keys),
  );
  expect(listed).not.toEqual([]);
  for (const key of listed) expect([key, all.some(({ id }) => stepOf(all, id, key) !== null)]).toEqual([key, true]);
});
