import { createRoot } from 'react-dom/client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Locator, cdp, page, userEvent } from 'vitest/browser';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { setColumnAlignment } from 'weft-document/tables/table-columns.ts';
import { cellGrid } from 'weft-document/tables/table-grid.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { StaticBody } from '../../../src/editor/reading/static-body.tsx';
import { insertLines, tableTarget } from '../../../src/editor/tables/table-commands.ts';
import { openPage, textsOf, wait } from '../../support/editor/opened-page.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, contextOf, gridOf, tableOf, tableSeed } from '../../support/editor/tables.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';
import '../../../src/ui/floating/floating.css';

beforeAll(() => page.viewport(1280, 800));

const SEED = tableSeed(['name age', 'Ada 36', 'Bo 41']);

async function render(session: PageSession) {
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  react.render(<PageEditor session={session} people={new Map()} editable />);
  await wait(60);
  return root;
}

/** Moves the pointer into a cell, again and again until the table tools have loaded and show the handle `name`. */
async function point(cell: Locator, name: string): Promise<Locator> {
  const handle = page.getByRole('button', { name, exact: true });
  await expect
    .poll(async () => {
      await userEvent.unhover(cell);
      await userEvent.hover(cell);
      return handle.elements().length;
    })
    .toBe(1);
  return handle;
}

const leftLine = (cell: Element | null) => (cell === null ? '' : getComputedStyle(cell).borderLeftWidth);

test('the handles of rows and columns open their menus by pointer, and each item works', async () => {
  const session = pageSession(SEED);
  await render(session);
  await userEvent.click(await point(page.getByRole('cell', { name: 'Ada' }), 'Row 2'));
  await userEvent.click(page.getByRole('menuitem', { name: 'Insert row below' }));
  expect(gridOf(session)).toEqual(['name age', 'Ada 36', '- -', 'Bo 41']);
  await userEvent.click(await point(page.getByRole('columnheader', { name: 'age' }), 'Column 2'));
  await userEvent.click(page.getByRole('menuitem', { name: 'Delete column' }));
  expect(gridOf(session)).toEqual(['name', 'Ada', '-', 'Bo']);
});

test('the menu of a row or column acts on it alone, shows it, and leaves the selection as it was', async () => {
  const session = pageSession(SEED);
  const root = await render(session);
  const tinted = () => [...root.querySelectorAll('.cell-tinted')].map(({ textContent }) => textContent);
  const ada = page.getByRole('cell', { name: 'Ada' });
  await userEvent.click(ada);
  await userEvent.click(await point(ada, 'Column 1'));
  await expect.poll(tinted).toEqual(['name', 'Ada', 'Bo']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(tinted).toEqual([]);
  expect(root.querySelectorAll('.cell-selected').length).toBe(0);
  // Also where cells of other rows are selected.
  await userEvent.click(page.getByRole('columnheader', { name: 'name' }));
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.poll(() => root.querySelectorAll('.cell-selected').length).toBe(3);
  await userEvent.click(await point(ada, 'Row 2'));
  await expect.poll(tinted).toEqual(['Ada', '36']);
  await userEvent.click(page.getByRole('menuitem', { name: 'Delete row', exact: true }));
  expect(gridOf(session)).toEqual(['name age', 'Bo 41']);
});

test('the bars above and below a table cover nothing of the blocks around it', async () => {
  const root = await render(pageSession(SEED));
  await point(page.getByRole('cell', { name: 'Bo' }), 'Row 3');
  const [before, after] = ['before', 'after'].map((words) =>
    [...root.querySelectorAll('.block')].find(({ textContent }) => textContent === words)?.getBoundingClientRect(),
  );
  const boxOf = (name: string) => root.querySelector(`[aria-label="${name}"]`)?.getBoundingClientRect();
  expect(boxOf('Column 1')?.top).toBeGreaterThanOrEqual(before?.bottom ?? Infinity);
  expect(boxOf('Add a row at the end')?.bottom).toBeLessThanOrEqual(after?.top ?? -Infinity);
});

test('an empty table has lines between its columns, until each of them has words', async () => {
  const session = pageSession(tableSeed(['- -', '- -']));
  const root = await render(session);
  const lines = () => [...root.querySelectorAll('tr')].map(({ lastElementChild: cell }) => leftLine(cell));
  expect(lines()).toEqual(['1px', '1px']);
  await userEvent.click(page.getByRole('columnheader').first());
  await userEvent.keyboard('a{Tab}');
  expect(lines()).toEqual(['1px', '1px']);
  await userEvent.keyboard('b');
  await expect.poll(lines).toEqual(['0px', '0px']);
});

test('selected cells have one ring around them and no double line between them', async () => {
  const root = await render(pageSession(SEED));
  await userEvent.click(page.getByRole('cell', { name: 'Ada' }));
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowDown}{/Shift}');
  await expect.poll(() => root.querySelectorAll('.cell-selected').length).toBe(4);
  const edges = [...root.querySelectorAll<HTMLElement>('.cell-selected')].map(({ style }) =>
    ['top', 'bottom', 'left', 'right'].filter((edge) => style.getPropertyValue(`--${edge}`) === '2px').join(' '),
  );
  expect(edges).toEqual(['top left', 'top right', 'bottom left', 'bottom right']);
});

test('the table’s menu acts on the selected cells and says which rows and columns they are', async () => {
  const session = pageSession(SEED);
  const root = await render(session);
  await userEvent.click(page.getByRole('cell', { name: 'Ada' }));
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await expect.poll(() => root.querySelectorAll('.cell-selected').length).toBe(2);
  await userEvent.click(await point(page.getByRole('cell', { name: 'Ada' }), 'Table'));
  await expect.element(page.getByText('Rows 2 to 3')).toBeVisible();
  await expect.element(page.getByText('Column 1')).toBeVisible();
  await userEvent.click(page.getByRole('menuitem', { name: 'Delete rows' }));
  expect(gridOf(session)).toEqual(['name age']);
  // The last row goes with the table only.
  await userEvent.click(await point(page.getByRole('columnheader', { name: 'name' }), 'Row 1'));
  await expect.element(page.getByRole('menuitem', { name: 'Delete table' })).toBeVisible();
  expect(page.getByRole('menuitem', { name: 'Delete row' }).elements()).toEqual([]);
});

test('the menu of a cell opens by a key and works with arrows', async () => {
  const session = pageSession(SEED);
  await render(session);
  await userEvent.click(page.getByRole('cell', { name: 'Bo' }));
  await userEvent.keyboard('{Control>}/{/Control}');
  // The menu takes the focus one frame after it is drawn.
  await expect.poll(() => document.activeElement?.closest('[role="menu"]') ?? null).not.toBeNull();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.click(page.getByRole('menuitemcheckbox', { name: 'Header column' }));
  expect(tableOf(session).getAttribute('headColumn')).toBe(true);
  await expect.element(page.getByRole('rowheader', { name: 'Bo' })).toBeVisible();
});

test('in a cell, keys that move blocks move its row and column, and the whole table stays', async () => {
  const session = pageSession(SEED);
  const opened = openPage(session);
  const before = textsOf(session);
  caretInCell(opened, 2, 0);
  await opened.press('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
  expect(gridOf(session)).toEqual(['name age', 'Bo 41', 'Ada 36']);
  await opened.press('{Alt>}{Shift>}{ArrowRight}{/Shift}{/Alt}');
  expect(gridOf(session)).toEqual(['age name', '41 Bo', '36 Ada']);
  expect(textsOf(session)).toEqual(before);
});

test('the edge of a column is a separator that arrow keys and the pointer move', async () => {
  const session = pageSession(SEED);
  const root = await render(session);
  await userEvent.click(page.getByRole('cell', { name: 'Ada' }));
  await wait(60);
  const edge = root.querySelector<HTMLElement>('.table-edge');
  const width = Number(edge?.getAttribute('aria-valuenow'));
  edge?.focus();
  await userEvent.keyboard('{ArrowLeft}');
  await wait(40);
  const widths = () => parseBody(session.doc).flatMap((block) => (block.type === 'table' ? [block.widths] : []));
  expect(widths()).toEqual([[width - 8, null]]);
  const box = root.querySelector('.table-edge')?.getBoundingClientRect();
  const drag = (type: string, x: number) =>
    root
      .querySelector('.table-edge')
      ?.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, clientX: x, clientY: 300 }));
  const at = (box?.left ?? 0) + 4;
  drag('pointerdown', at);
  await wait(20);
  drag('pointermove', at - 60);
  await wait(20);
  drag('pointerup', at - 60);
  await wait(40);
  expect(widths()).toEqual([[width - 68, null]]);
  // A drag that the browser cancels leaves the edge where it was.
  drag('pointerdown', at - 60);
  await wait(20);
  drag('pointermove', at);
  await wait(20);
  drag('pointercancel', at);
  await wait(40);
  expect(root.querySelector('.table-edge')?.getAttribute('aria-valuenow')).toBe(String(width - 68));
});

test('a column is aligned from its menu, and the menu says how', async () => {
  const session = pageSession(SEED);
  await render(session);
  const openMenu = async () => {
    await userEvent.hover(page.getByRole('cell', { name: '41' }));
    await userEvent.click(page.getByRole('button', { name: 'Column 2' }));
    await userEvent.click(page.getByRole('menuitem', { name: 'Align' }));
  };
  await openMenu();
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'Left' })).toBeChecked();
  await userEvent.click(page.getByRole('menuitemcheckbox', { name: 'Right' }));
  const alignments = () =>
    parseBody(session.doc).flatMap((block) => (block.type === 'table' ? [block.alignments] : []));
  await expect.poll(alignments).toEqual([[null, 'right']]);
  await expect.element(page.getByRole('cell', { name: '41' })).toHaveStyle({ textAlign: 'right' });
  await userEvent.keyboard('{Escape}{Escape}');
  await openMenu();
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'Right' })).toBeChecked();
});

test('the text of a table is flush with the text of the page', () => {
  const session = pageSession(tableSeed(['a b', 'c d']));
  const { dom } = openPage(session).editor.view;
  const leftOf = (element: Element | null | undefined) => {
    const range = new Range();
    range.selectNodeContents(element ?? document.body);
    return Math.round(range.getBoundingClientRect().left);
  };
  const edge = leftOf(dom.querySelector('p.block-text'));
  expect([...dom.querySelectorAll('tr > :first-child')].map(leftOf)).toEqual([edge, edge]);
});

test('readers see the same table as editors', async () => {
  const session = pageSession(tableSeed(['a b', 'c d'], { headRow: true, headColumn: true }));
  session.doc.transact(() => setColumnAlignment(cellGrid(tableOf(session)), 0, 'right'));
  const row = tableOf(session).get(1);
  // Two people added a row and a column at once.
  if ('delete' in row) session.doc.transact(() => row.delete(1, 1));
  const written = openPage(session).editor.view.dom;
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  react.render(<StaticBody page={session.documentId} blocks={parseBody(session.doc)} />);
  await wait(40);
  const drawn = (from: Element) =>
    [...from.querySelectorAll('table')].map((table) => [
      table.style.width,
      ...[...table.querySelectorAll('col')].map(({ style }) => style.width),
      ...[...table.querySelectorAll('td, th')].map(
        (cell) =>
          `${cell.localName} ${cell.getAttribute('scope') ?? ''} ${getComputedStyle(cell).textAlign} ${cell.textContent}`,
      ),
    ]);
  expect(drawn(root)).toEqual(drawn(written));
});

test('remote edits of a table do not disturb a composition (IME) in a cell', async () => {
  const alice = pageSession(SEED);
  const bob = pageSession(SEED);
  connect(alice, bob);
  const [a, b] = [openPage(alice), openPage(bob)];
  caretInCell(a, 1, 0);
  await wait(30);
  let ends = 0;
  a.editor.view.dom.addEventListener('compositionend', () => (ends += 1));
  const chromium = cdp();
  await chromium.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
  await wait(30);
  expect(a.editor.view.composing).toBe(true);
  const { view } = b.editor;
  // Without focus: it would end the composition, not the edit.
  b.editor.commands.setTextSelection(b.editor.state.doc.child(0).nodeSize + 5);
  b.type('more ');
  const target = tableTarget(b.editor.state.selection);
  if (target !== null) insertLines(view, contextOf(b), target, 'column', 0);
  await wait(30);
  expect([a.editor.view.composing, ends]).toEqual([true, 0]);
  await chromium.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 });
  await chromium.send('Input.insertText', { text: '漢' });
  await wait(60);
  expect(gridOf(bob)[1]).toBe('- Ada漢 36');
  expect(gridOf(alice)).toEqual(gridOf(bob));
});
