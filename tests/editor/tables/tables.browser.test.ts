// Tables with one person and with several at once: commands, keys, selections.
import { expect, test } from 'vitest';
import { PLAIN } from 'weft-document/blocks/block.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { cellAt, deleteColumns, insertColumns, insertRows, writeCells } from 'weft-document/tables/table-grid.ts';
import * as Y from 'yjs';
import { EDITOR_ORIGIN } from '../../../src/editor/binding/binding-of.ts';
import type { EditContext } from '../../../src/editor/binding/edit-context.ts';
import {
  alignColumns,
  clearLine,
  deleteLines,
  duplicateLine,
  insertLines,
  moveLine,
  tableTarget,
  toggleHeader,
} from '../../../src/editor/tables/table-commands.ts';
import { insertTable } from '../../../src/editor/tables/table-insert.ts';
import { type OpenedPage, linesOf, openPage, wait } from '../../support/editor/opened-page.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, contextOf, drawnGrid, gridOf, tableOf, tableSeed } from '../../support/editor/tables.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

const SEED = tableSeed(['n a', 'x 1', 'y 2']);

/** Two people on one page, in two real editors that draw the same table. */
function tableFixture(seed: Uint8Array = SEED) {
  const two = twoEditors(seed);
  const agree = () => {
    two.agree();
    expect(drawnGrid(two.a)).toEqual(drawnGrid(two.b));
  };
  return { ...two, agree };
}

/** Runs a command at a cell. */
function at<Args extends unknown[]>(
  page: OpenedPage,
  row: number,
  column: number,
  run: (
    view: OpenedPage['editor']['view'],
    context: EditContext,
    target: NonNullable<ReturnType<typeof tableTarget>>,
    ...args: Args
  ) => boolean,
  ...args: Args
): void {
  caretInCell(page, row, column);
  const target = tableTarget(page.editor.state.selection);
  if (target === null) throw new Error('not in a table');
  expect(run(page.editor.view, contextOf(page), target, ...args)).toBe(true);
}

test('if a row and a column are added at once, everyone draws the missing cell and no one writes it (T13)', async () => {
  const { alice, bob, wire, a, b, agree } = tableFixture();
  wire.offline();
  at(a, 2, 0, insertLines, 'row', 3);
  at(b, 0, 1, insertLines, 'column', 2);
  wire.online();
  await wait(50);
  expect(gridOf(alice)).toEqual(['n a -', 'x 1 -', 'y 2 -', '- -']);
  expect(drawnGrid(a)).toEqual(['n a -', 'x 1 -', 'y 2 -', '- - .']);
  // One local edit each: no one repaired anything.
  expect([alice.localUpdates.length, bob.localUpdates.length]).toEqual([1, 1]);
  agree();
});

test('a cell that a short row lacks is created by the person who writes in it, and by no one else (T13)', async () => {
  const { alice, bob, wire, a, b, agree } = tableFixture();
  wire.offline();
  at(a, 2, 0, insertLines, 'row', 3);
  at(b, 0, 1, insertLines, 'column', 2);
  wire.online();
  const [missingCell] = a.editor.view.dom.querySelectorAll('[data-missing]');
  missingCell?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 0 }));
  a.type('hi');
  await wait(30);
  expect(gridOf(alice)).toEqual(['n a -', 'x 1 -', 'y 2 -', '- - hi']);
  expect(bob.localUpdates.length).toBe(1);
  agree();
});

test('a column added at a short row goes to the right place', () => {
  const { alice, wire, a, b, agree } = tableFixture();
  wire.offline();
  at(a, 2, 0, insertLines, 'row', 3);
  at(b, 0, 1, insertLines, 'column', 2);
  wire.online();
  at(a, 0, 0, insertLines, 'column', 0);
  expect(gridOf(alice)).toEqual(['- n a -', '- x 1 -', '- y 2 -', '- - -']);
  expect(drawnGrid(b)).toEqual(['- n a -', '- x 1 -', '- y 2 -', '- - - .']);
  agree();
});

test.each<[string, (a: OpenedPage) => void, readonly string[]]>([
  ['adds a row above', (a) => at(a, 1, 0, insertLines, 'row', 1), ['n a', '- -', 'x 1BBB', 'y 2']],
  ['adds a column before', (a) => at(a, 1, 1, insertLines, 'column', 0), ['- n a', '- x 1BBB', '- y 2']],
  ['deletes another row', (a) => at(a, 2, 0, deleteLines, 'row'), ['n a', 'x 1BBB']],
  ['deletes another column', (a) => at(a, 2, 0, deleteLines, 'column'), ['a', '1BBB', '2']],
  ['moves another row past it', (a) => at(a, 2, 0, moveLine, 'row', -1), ['n a', 'y 2', 'x 1BBB']],
  ['moves another column past it', (a) => at(a, 1, 0, moveLine, 'column', 1), ['a n', '1BBB x', '2 y']],
  ['duplicates its row', (a) => at(a, 1, 0, duplicateLine, 'row'), ['n a', 'x 1BBB', 'x 1', 'y 2']],
  [
    'removes the header',
    (a) => at(a, 1, 0, (view, h, target) => toggleHeader(view, h, target.table, 'row')),
    ['n a', 'x 1BBB', 'y 2'],
  ],
  [
    'types in the same cell',
    (a) => {
      caretInCell(a, 1, 1, 0);
      a.type('A');
    },
    ['n a', 'x A1BBB', 'y 2'],
  ],
])('when one person %s while another types in a cell, both stay', (_name, act, grid) => {
  const { alice, wire, a, b, agree } = tableFixture();
  wire.offline();
  act(a);
  caretInCell(b, 1, 1);
  b.type('BBB');
  wire.online();
  expect(gridOf(alice)).toEqual(grid);
  agree();
});

test.each<[string, (a: OpenedPage) => void, readonly string[]]>([
  ['its row', (a) => at(a, 1, 0, deleteLines, 'row'), ['n a', 'y 2']],
  ['its column', (a) => at(a, 0, 1, deleteLines, 'column'), ['n', 'x', 'y']],
])(
  'when one person deletes %s, the text another typed there is in the deletion that the other receives',
  (_name, act, grid) => {
    const { alice, bob, wire, a, b, agree } = tableFixture();
    wire.offline();
    act(a);
    caretInCell(b, 1, 1);
    b.type('BBB');
    // Same test as in recovered-text: local text that a remote edit deletes.
    const lost: string[] = [];
    bob.doc.on('afterTransaction', (transaction: Y.Transaction) => {
      if (transaction.local) return;
      Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
        const isMine = struct instanceof Y.Item && struct.id.client === bob.doc.clientID;
        if (isMine && struct.content instanceof Y.ContentString) lost.push(struct.content.str);
      });
    });
    wire.online();
    expect(gridOf(alice)).toEqual(grid);
    expect(lost.join('')).toBe('BBB');
    agree();
  },
);

test('a character in one of several empty cells does not touch the others', () => {
  const { alice, bob, wire, a, b, agree } = tableFixture(tableSeed(['- -', 'x -']));
  at(a, 0, 0, insertLines, 'column', 1);
  wire.offline();
  caretInCell(a, 0, 1);
  a.type('A');
  caretInCell(b, 0, 2);
  b.type('B');
  wire.online();
  expect(gridOf(alice)).toEqual(['- A B', 'x - -']);
  expect(bob.localUpdates.length).toBe(1);
  agree();
});

test('two people who add a row at the same place get two rows', () => {
  const { alice, wire, a, b, agree } = tableFixture();
  wire.offline();
  for (const [page, words] of [
    [a, 'A'],
    [b, 'B'],
  ] as const) {
    at(page, 2, 0, insertLines, 'row', 3);
    page.type(words);
  }
  wire.online();
  expect(gridOf(alice).slice(0, 3)).toEqual(['n a', 'x 1', 'y 2']);
  expect(gridOf(alice).slice(3).toSorted()).toEqual(['A -', 'B -']);
  agree();
});

test.each(['row', 'column'] as const)('two people who move the same %s leave one (T2)', async (line) => {
  const { alice, wire, a, b, agree } = tableFixture();
  wire.offline();
  for (const page of [a, b]) at(page, 1, 0, moveLine, line, 1);
  wire.online();
  await wait(30);
  expect(gridOf(alice)).toEqual(line === 'row' ? ['n a', 'y 2', 'x 1'] : ['a n', '1 x', '2 y']);
  agree();
});

test('if two people move a row, a copy that someone typed in stays', async () => {
  const { alice, wire, a, b, agree } = tableFixture();
  wire.offline();
  for (const page of [a, b]) at(page, 1, 0, moveLine, 'row', 1);
  b.type('!');
  wire.online();
  await wait(30);
  expect(gridOf(alice).slice(2).toSorted()).toEqual(['x 1', 'x! 1']);
  agree();
});

test.each<[string, (a: OpenedPage) => void, string]>([
  ['adding a row', (a) => at(a, 1, 0, insertLines, 'row', 1), 'nB a'],
  ['adding a column', (a) => at(a, 1, 0, insertLines, 'column', 1), 'nB a'],
  ['deleting a row', (a) => at(a, 1, 0, deleteLines, 'row'), 'nB a'],
  ['deleting a column', (a) => at(a, 1, 0, deleteLines, 'column'), 'n aB'],
  ['moving a row', (a) => at(a, 1, 0, moveLine, 'row', 1), 'nB a'],
  ['moving a column', (a) => at(a, 1, 0, moveLine, 'column', 1), 'n aB'],
  ['duplicating a row', (a) => at(a, 1, 0, duplicateLine, 'row'), 'nB a'],
  ['clearing a row', (a) => at(a, 1, 0, clearLine, 'row'), 'nB a'],
  ['adding a header', (a) => at(a, 1, 0, (view, h, target) => toggleHeader(view, h, target.table, 'column')), 'nB a'],
])('undo takes back %s and keeps what another typed', (_name, act, firstRow) => {
  const { alice, a, b, agree } = tableFixture();
  act(a);
  caretInCell(b, 0, 0);
  b.type('B');
  a.undo.undo();
  expect(gridOf(alice)).toEqual([firstRow, 'x 1', 'y 2']);
  agree();
});

test('undoing a new row or column keeps it completely if another typed in it', () => {
  const { alice, a, b, agree } = tableFixture();
  at(a, 1, 0, insertLines, 'row', 1);
  caretInCell(b, 1, 1);
  b.type('B');
  a.undo.undo();
  expect(gridOf(alice)).toEqual(['n a', '- B', 'x 1', 'y 2']);
  at(a, 0, 0, insertLines, 'column', 1);
  caretInCell(b, 2, 1);
  b.type('C');
  a.undo.undo();
  expect(gridOf(alice)).toEqual(['n - a', '- - B', 'x C 1', 'y - 2']);
  agree();
});

test('the caret stays in its cell while others change rows and columns around it', () => {
  const { a, b, bob, agree } = tableFixture();
  caretInCell(a, 1, 1);
  const cell = a.editor.view.domAtPos(a.editor.state.selection.head).node;
  at(b, 0, 0, insertLines, 'column', 0);
  at(b, 0, 0, insertLines, 'row', 1);
  caretInCell(b, 3, 1);
  b.type('more');
  at(b, 0, 0, insertLines, 'column', 0);
  a.type('!');
  expect(gridOf(bob)[2]).toBe('- - x 1!');
  // Its element was never redrawn: a composition (IME) continues in it.
  expect(a.editor.view.dom.contains(cell)).toBe(true);
  agree();
});

test('assistive technology gets a table with header cells', () => {
  const session = pageSession(tableSeed(['n a', 'x 1'], { headRow: true, headColumn: true }));
  const { dom } = openPage(session).editor.view;
  const scopes = [...dom.querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => `${cell.localName} ${cell.getAttribute('scope') ?? ''}`.trim()),
  );
  expect(scopes).toEqual([
    ['th col', 'th col'],
    ['th row', 'td'],
  ]);
});

test('moving or deleting lines keeps the widths of columns', () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  const table = tableOf(session);
  const head = cellAt(table, 0, 1);
  if (head === null) throw new Error('the table has no such cell');
  session.doc.transact(() => setAttribute(head, 'width', 200), EDITOR_ORIGIN);
  at(page, 0, 0, deleteLines, 'row');
  expect([...page.editor.view.dom.querySelectorAll('col')].map(({ style }) => style.width)).toEqual(['auto', '200px']);
});

test('two people align two columns at once, in a table that both draw; moving and deleting rows keeps it', () => {
  const { alice, wire, a, b, agree } = tableFixture();
  const drawn = (row: number) =>
    [...(a.editor.view.dom.querySelectorAll('tr')[row]?.children ?? [])].map(
      (cell) => getComputedStyle(cell).textAlign,
    );
  wire.offline();
  at(a, 0, 0, alignColumns, 'center');
  at(b, 2, 1, alignColumns, 'right');
  wire.online();
  agree();
  expect([drawn(0), drawn(2)]).toEqual([
    ['center', 'right'],
    ['center', 'right'],
  ]);
  at(a, 0, 0, deleteLines, 'row');
  at(b, 0, 0, moveLine, 'column', 1);
  expect(drawn(0)).toEqual(['right', 'center']);
  at(a, 1, 1, alignColumns, null);
  expect(drawn(1)).toEqual(['right', 'start']);
  a.undo.undo();
  expect(drawn(1)).toEqual(['right', 'center']);
  expect(gridOf(alice)).toEqual(['1 x', '2 y']);
  agree();
});

test('a new table from the menu is three by three, with a header row and a line after it', () => {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  insertTable(page.editor.state, page.editor.view.dispatch);
  page.type('a');
  expect(gridOf(session)).toEqual(['a - -', '- - -', '- - -']);
  expect(linesOf(session).at(-1)).toBe('paragraph: ');
});

test('Enter after "| a | b |" makes a table', async () => {
  const session = pageSession();
  const page = openPage(session);
  await page.press('| a | b c |{Enter}x');
  expect(gridOf(session)).toEqual(['a b c', 'x -', '- -']);
  page.undo.undo();
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: | a | b c |']);
});

test('Tab, Enter and arrows move from cell to cell, and typing on adds rows', async () => {
  const session = pageSession(tableSeed(['- -', '- -']));
  const page = openPage(session);
  caretInCell(page, 0, 0);
  await page.press('a{Tab}b{Tab}c{Tab}d{Tab}e{Enter}f{Shift>}{Enter}{/Shift}g');
  expect(gridOf(session)).toEqual(['a b', 'c d', 'e -', 'f\ng -']);
  // The browser reports a caret that it moved itself a moment later.
  for (const key of ['{ArrowUp}', '{ArrowUp}', '1{ArrowRight}2{Shift>}{Tab}{Tab}{/Shift}3']) {
    await page.press(key);
    await wait(30);
  }
  expect(gridOf(session)).toEqual(['a b', 'c 3', 'e1 2', 'f\ng -']);
});

test('Enter in an empty last row leaves the table', async () => {
  const session = pageSession(tableSeed(['a b', '- -']));
  const page = openPage(session);
  caretInCell(page, 1, 0);
  await page.press('{Enter}x');
  expect(linesOf(session).at(-1)).toBe('paragraph: xafter');
});

test('Backspace and Delete join nothing across the edge of a cell or a table', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  caretInCell(page, 1, 1, 0);
  await page.press('{Backspace}');
  caretInCell(page, 1, 0);
  await page.press('{Delete}');
  page.caret(2, 0);
  await page.press('{Backspace}');
  expect(gridOf(session)).toEqual(['n a', 'x 1', 'y 2']);
  // The table was selected; the next press deletes it.
  await page.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: before', 'paragraph: after']);
});

test('Shift and arrows select cells; typing replaces their text and keeps the cells', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  caretInCell(page, 1, 0);
  await page.press('{Shift>}{ArrowRight}{ArrowDown}{/Shift}');
  expect(page.editor.view.dom.querySelectorAll('.cell-selected').length).toBe(4);
  await page.press('z');
  expect(gridOf(session)).toEqual(['n a', 'z -', '- -']);
});

test('a selection from outside into a table is deleted with the whole table', async () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  const { doc } = page.editor.state;
  page.editor.commands.setTextSelection({ from: 4, to: doc.child(0).nodeSize + 4 });
  page.editor.view.focus();
  await page.press('{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: bef', 'paragraph: after']);
});

test('rows, columns and cells are written to the stored table', () => {
  const session = pageSession(SEED);
  const table = tableOf(session);
  session.doc.transact(() => {
    insertRows(table, 3, 1);
    insertColumns(table, 2, 1);
    deleteColumns(table, 0, 1);
    writeCells(table, { top: 1, left: 1 }, [[[{ ...PLAIN, text: 'p' }], [{ ...PLAIN, text: 'q' }]]]);
  });
  expect(gridOf(session)).toEqual(['a - -', '1 p q', '2 - -', '- - -']);
});
