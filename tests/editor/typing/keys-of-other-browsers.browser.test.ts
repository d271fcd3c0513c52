// Keys that Firefox handles differently. An event made by a script has no default action, so only what the editor itself does
// with the key happens here; tests/browsers presses real keys in the engines that are installed.
import { beforeAll, expect, test } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import { type OpenedPage, openPage, textsOf } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { tableSeed } from '../../support/editor/tables.ts';

beforeAll(() => browserPage.viewport(1280, 800));

function opened(...lines: readonly PageLine[]) {
  const session = pageSession(pageSeed(...lines));
  return { session, page: openPage(session) };
}

/** True if the editor handled the key. */
const press = ({ editor }: OpenedPage, key: string): boolean =>
  !editor.view.dom.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

/** The text before the caret in its block or cell. */
const before = ({ editor: { state } }: OpenedPage) =>
  state.selection.$from.parent.textBetween(0, state.selection.$from.parentOffset);

test('ArrowDown enters code in its first line, ArrowUp in its last, near the caret', () => {
  const { page } = opened('a long line', { kind: 'code', text: 'one\ntwo' }, 'end');
  page.caret(0, 0);
  expect(press(page, 'ArrowDown')).toBe(true);
  expect(before(page)).toBe('');
  page.caret(0, -1);
  press(page, 'ArrowDown');
  expect(before(page)).toBe('one');
  page.caret(2, 0);
  press(page, 'ArrowUp');
  expect(before(page)).toBe('one\n');
});

test('ArrowDown enters a table in its first row, ArrowUp in its last, in the column of the caret', () => {
  const page = openPage(pageSession(tableSeed(['aa bb', 'cc dd'])));
  page.caret(0, 0);
  expect(press(page, 'ArrowDown')).toBe(true);
  page.type('1');
  page.caret(2, 0);
  press(page, 'ArrowUp');
  page.type('2');
  const table = page.editor.state.doc.child(1);
  expect(table.textBetween(0, table.content.size, '|', '')).toMatch(/^1aa\|bb\|2cc\|dd$/);
});

test.each([
  ['a family', 'a👩‍👩‍👧‍👦', 'a'],
  ['a flag', 'a🇨🇭', 'a'],
  ['a hand with a skin tone', 'a👍🏽', 'a'],
  ['the second of two families', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
  ['a long line', `${'x'.repeat(100)}👩‍👩‍👧‍👦`, 'x'.repeat(100)],
])('Backspace takes an emoji whole: %s', (_name, text, left) => {
  const { session, page } = opened(text);
  page.caret(0, -1);
  expect(press(page, 'Backspace')).toBe(true);
  expect(textsOf(session)).toEqual([left]);
});

test('what other than an emoji stands before the caret is left to the browser', () => {
  for (const text of ['ab', 'e\u0301', 'a😀', 'क्षि']) {
    const { page } = opened(text);
    page.caret(0, -1);
    expect(press(page, 'Backspace')).toBe(false);
    page.close();
  }
});
