// Tables and the clipboard: copying from a table, pasting into one, and tables from spreadsheets and other pages.
import { expect, test } from 'vitest';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { MAX_COLUMNS } from 'weft-document/tables/table-grid.ts';
import { copyFrom, pasteInto } from '../../support/editor/clipboard.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, gridOf, tableOf, tableSeed } from '../../support/editor/tables.ts';

const SEED = tableSeed(['n a', 'x 1', 'y 2']);

test('selected cells are copied as a table and as tabbed text, and can be pasted again', async () => {
  const session = pageSession(tableSeed(['n a', 'x 1', 'y 2']));
  const page = openPage(session);
  caretInCell(page, 1, 0);
  await page.press('{Shift>}{ArrowRight}{ArrowDown}{/Shift}');
  const { html, text } = copyFrom(page);
  expect(text).toBe('x\t1\ny\t2');
  caretInCell(page, 2, 1);
  pasteInto(page, { 'text/html': html, 'text/plain': text });
  expect(gridOf(session)).toEqual(['n a -', 'x 1 -', 'y x 1', '- y 2']);
  caretInCell(page, 0, 0);
  pasteInto(page, { 'text/plain': 'p\tq\nr\t"s ""t"""\n' });
  expect(gridOf(session).slice(0, 2)).toEqual(['p q -', 'r s "t" -']);
  page.undo.undo();
  expect(gridOf(session)).toEqual(['n a -', 'x 1 -', 'y x 1', '- y 2']);
});

test('text in one cell is copied as text, and several pasted lines stay in one cell', () => {
  const session = pageSession(SEED);
  const page = openPage(session);
  caretInCell(page, 1, 0);
  pasteInto(page, { 'text/html': '<p>one</p><p><b>two</b></p>', 'text/plain': 'one\ntwo' });
  expect(gridOf(session)[1]).toBe('xone\n<bold>two</bold> 1');
  const { from } = page.editor.state.selection;
  page.editor.commands.setTextSelection({ from: from - 3, to: from });
  const { html, text } = copyFrom(page);
  expect(text).toBe('two');
  expect(html).not.toContain('<table');
});

test('tables of spreadsheets and pages become tables; layout tables do not', () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, {
    'text/html':
      '<table><thead><tr><th>a</th><th colspan="2">b</th></tr></thead><tr><td rowspan="2"><p>c</p><p>d</p></td><td>1</td><td><b>2</b></td></tr><tr><td>3</td><td>4</td></tr></table>',
  });
  expect(gridOf(session)).toEqual(['a b -', 'c\nd 1 <bold>2</bold>', '- 3 4']);
  expect(tableOf(session).getAttribute('headRow')).toBe(true);
  const other = pageSession(pageSeed(''));
  const layout = openPage(other);
  layout.caret(0, 0);
  pasteInto(layout, { 'text/html': '<table><tr><td><p>one</p><p>two</p></td></tr></table>' });
  expect(linesOf(other)).toEqual(['paragraph: one', 'paragraph: two']);
});

test.each([
  ['a full-width cell', '<tr><th colspan="99">a</th></tr><tr><td>1</td><td>2</td></tr>', ['a -', '1 2']],
  ['a cell wider than any table', '<tr><th colspan="1000">a</th></tr><tr><td>1</td><td>2</td></tr>', ['a -', '1 2']],
  [
    'a cell down to the last row',
    '<tr><td rowspan="0">a</td><td rowspan="">1</td></tr><tr><td>2</td></tr>',
    ['a 1', '- 2'],
  ],
])('%s spans the rows and columns of a pasted table', (_what, rows, expected) => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { 'text/html': `<table>${rows}</table>` });
  expect(gridOf(session)).toEqual(expected);
});

test('columns of a pasted table keep their alignment, also when copied here', () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, {
    'text/html':
      '<table><tr><th style="text-align: center">a</th><th>b</th><th>c</th></tr><tr><td>1</td><td align="RIGHT">2</td><td style="text-align: center">3</td></tr><tr><td>4</td><td style="text-align: right">5</td><td>6</td></tr></table>',
  });
  const alignments = (from: typeof session) =>
    parseBody(from.doc).flatMap((block) => (block.type === 'table' ? [block.alignments] : []));
  expect(alignments(session)).toEqual([[null, 'right', null]]);
  page.editor.commands.selectAll();
  const other = pageSession(pageSeed(''));
  const target = openPage(other);
  const { html, text } = copyFrom(page);
  target.caret(0, 0);
  pasteInto(target, { 'text/html': html, 'text/plain': text });
  expect(alignments(other)).toEqual([[null, 'right', null]]);
});

test('a table that is too large becomes lines of text: nothing is lost', () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  const row = Array.from({ length: MAX_COLUMNS + 1 }, (_none, n) => `c${n}`);
  pasteInto(page, {
    'text/html': `<table>${`<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`.repeat(2)}</table>`,
  });
  expect(linesOf(session)).toEqual([`paragraph: ${row.join('\t')}`, `paragraph: ${row.join('\t')}`]);
  const inside = pageSession(SEED);
  const table = openPage(inside);
  caretInCell(table, 0, 0);
  pasteInto(table, { 'text/plain': row.join('\t') });
  expect(gridOf(inside)).toEqual(['n a', 'x 1', 'y 2']);
  expect(linesOf(inside)).toContain(`paragraph: ${row.join('\t')}`);
});
