import { expect, test } from 'vitest';
import { SHORTCUTS } from '../../../src/editor/shortcuts.ts';
import { stepOf } from '../../../src/features/page-tree/tree-keys.ts';
import { tabStop, visibleRows } from '../../../src/features/page-tree/visible-rows.ts';
import { indexOf } from '../../../src/state/workspace/tree/page-index.ts';
import { documentId, pageSummary } from '../../support/app/app-fixture.ts';

const [first, child, grandchild, second] = [documentId(1), documentId(2), documentId(3), documentId(4)] as const;
const index = indexOf([
  pageSummary(1, 'First', { rank: 'a0' }),
  pageSummary(2, 'Child', { parentId: first }),
  pageSummary(3, 'Grandchild', { parentId: child }),
  pageSummary(4, 'Second', { rank: 'a1' }),
]);
const all = visibleRows(index, new Set());
const childClosed = visibleRows(index, new Set([child]));
/** `Alt-ArrowUp` is the key with Alt held down, `Mod-d` one with Ctrl. */
const step = (id: typeof first, keys: string, rows = all) =>
  stepOf(rows, index, id, {
    key: keys.replace(/^(?:Alt|Mod)-/, ''),
    altKey: keys.startsWith('Alt-'),
    ctrlKey: keys.startsWith('Mod-'),
    metaKey: false,
    shiftKey: false,
  });

test('rows below a closed page are not on the screen', () => {
  expect(all.map(({ id, depth, isOpen, position, siblings }) => [id, depth, isOpen, position, siblings])).toEqual([
    [first, 0, true, 1, 2],
    [child, 1, true, 1, 1],
    [grandchild, 2, null, 1, 1],
    [second, 0, null, 2, 2],
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

test('arrows with Alt move the page by one step, where there is one', () => {
  expect(step(second, 'Alt-ArrowUp')).toEqual({ do: 'move', id: second, to: { parent: null, after: null } });
  expect(step(first, 'Alt-ArrowDown')).toEqual({ do: 'move', id: first, to: { parent: null, after: second } });
  expect(step(second, 'Alt-ArrowRight')).toEqual({ do: 'move', id: second, to: { parent: first, after: child } });
  expect(step(grandchild, 'Alt-ArrowLeft')).toEqual({
    do: 'move',
    id: grandchild,
    to: { parent: first, after: child },
  });
  expect([step(first, 'Alt-ArrowUp'), step(first, 'Alt-ArrowRight'), step(first, 'Alt-ArrowLeft')]).toEqual([
    null,
    null,
    null,
  ]);
});

test('the help lists every key of the tree', () => {
  const listed = SHORTCUTS.filter(({ scope }) => scope === 'tree').flatMap(({ shortcuts }) =>
    shortcuts.flatMap(({ keys }) => keys),
  );
  expect(listed).not.toEqual([]);
  for (const key of listed) expect([key, all.some(({ id }) => step(id, key) !== null)]).toEqual([key, true]);
});
