// A comment's words while people write in the app's own editor: the cases in which comments of other editors lose their words.
import { expect, test } from 'vitest';
import { fileOfPage } from 'weft-document/formats/page-json.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { shiftIndent, turnInto } from '../../src/editor/blocks/block-commands.ts';
import { moveSelected } from '../../src/editor/blocks/move-selected-blocks.ts';
import { moveLine, tableTarget } from '../../src/editor/tables/table-commands.ts';
import { anchorOn, followed, foundNow } from '../support/editor/anchored-page.ts';
import { pasteInto } from '../support/editor/clipboard.ts';
import { type OpenedPage, openPage } from '../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../support/editor/page-seed.ts';
import { pageSession } from '../support/editor/page-session.ts';
import { caretInCell, contextOf, tableSeed } from '../support/editor/tables.ts';
import { twoEditors } from '../support/editor/two-people.ts';

const LINES: readonly PageLine[] = ['the first line', 'here a fine day began', 'the last line'];

/** A page in the editor, with a thread on these words that this tab follows. */
function commented(words: string, lines: readonly PageLine[] = LINES) {
  const session = pageSession(pageSeed(...lines));
  const page = openPage(session);
  const thread = followed(session.doc, anchorOn(session.doc, words));
  /** What this tab shows, and someone who opens the page after the server took the move. */
  const shown = () => [thread.words(), foundNow(session.doc, thread.stored())];
  return { session, page, thread, shown };
}

/** Selects characters of a block; both offsets are within it. */
function select({ editor }: OpenedPage, index: number, from: number, to: number): void {
  let at = 1;
  for (let i = 0; i < index; i++) at += editor.state.doc.child(i).nodeSize;
  editor.commands.setTextSelection({ from: at + from, to: at + to });
  editor.view.focus();
}

/** Cuts the selection, and returns what the clipboard has then. */
function cut({ editor }: OpenedPage): Readonly<Record<string, string>> {
  const clipboardData = new DataTransfer();
  editor.view.dom.dispatchEvent(new ClipboardEvent('cut', { clipboardData, bubbles: true, cancelable: true }));
  return Object.fromEntries(clipboardData.types.map((type) => [type, clipboardData.getData(type)]));
}

test('words that are cut are gone, and are the ones that are pasted elsewhere after a pause', async () => {
  const { page, shown } = commented('fine day');
  select(page, 1, 7, 15);
  const clipboard = cut(page);
  expect(shown()).toEqual(['(gone)', '(gone)']);
  page.caret(0, 4);
  page.type('x ');
  pasteInto(page, clipboard);
  await expect.poll(shown).toEqual(['fine day', 'fine day']);
});

test('a block that is cut and pasted keeps the comment on a word in it', async () => {
  const { page, shown } = commented('fine');
  select(page, 1, 0, 21);
  const clipboard = cut(page);
  expect(shown()).toEqual(['(gone)', '(gone)']);
  page.caret(2, -1);
  await page.press('{Enter}');
  pasteInto(page, clipboard);
  await expect.poll(shown).toEqual(['fine', 'fine']);
});

test('delete, undo, redo and undo again', () => {
  const { page, shown } = commented('fine day');
  select(page, 1, 0, 18);
  page.editor.commands.deleteSelection();
  expect(shown()).toEqual(['(gone)', '(gone)']);
  page.undo.undo();
  expect(shown()).toEqual(['fine day', 'fine day']);
  page.undo.redo();
  expect(shown()).toEqual(['(gone)', '(gone)']);
  page.undo.undo();
  expect(shown()).toEqual(['fine day', 'fine day']);
});

test('a part that is deleted comes back with undo', () => {
  const { page, shown } = commented('fine day');
  select(page, 1, 12, 18);
  page.editor.commands.deleteSelection();
  expect(shown()).toEqual(['fine ', 'fine ']);
  page.undo.undo();
  expect(shown()).toEqual(['fine day', 'fine day']);
});

test.each([
  [3, 'before'],
  [9, 'within'],
  [12, 'within, at a space'],
  [18, 'behind'],
])('a block that is split at %i (%s the words) and joined again', async (at) => {
  const { page, thread } = commented('fine day');
  page.caret(1, at);
  await page.press('{Enter}');
  expect(thread.words().replace('\n', '')).toBe('fine day');
  await page.press('{Backspace}');
  expect(thread.words()).toBe('fine day');
});

test('Enter in front of all words, and a block joined to the one before', async () => {
  const { page, shown } = commented('here a fine');
  page.caret(1, 0);
  await page.press('{Enter}');
  expect(shown()).toEqual(['here a fine', 'here a fine']);
  await page.press('{Backspace}{Backspace}');
  expect(shown()).toEqual(['here a fine', 'here a fine']);
});

test('turn-into, indentation, marks and moves, and then undo of all', () => {
  const { page, shown } = commented('fine day');
  const { view } = page.editor;
  const kept = () => expect(shown()).toEqual(['fine day', 'fine day']);
  select(page, 1, 7, 15);
  for (const mark of ['strike', 'code', 'bold']) {
    page.editor.commands.toggleMark(mark);
    kept();
  }
  turnInto({ kind: 'bullet' })(view.state, view.dispatch, view);
  kept();
  shiftIndent(1)(view.state, view.dispatch, view);
  kept();
  turnInto({ kind: 'code' })(view.state, view.dispatch, view);
  kept();
  for (const by of [1, -1, -1] as const) {
    moveSelected(page.editor, page.context, by);
    kept();
  }
  while (page.undo.undo() !== null) kept();
});

test('lines of code that become blocks, and words over both', () => {
  const { page, thread } = commented('one;\ntwo', ['a', { kind: 'code', text: 'let one;\ntwo = 1;' }, 'b']);
  page.caret(1, 2);
  const { view } = page.editor;
  turnInto({ kind: 'paragraph' })(view.state, view.dispatch, view);
  expect(thread.words()).toBe('one;\ntwo');
});

test('a section that is deleted and restored from history', () => {
  const { page, session, shown } = commented('day began\nthe');
  const file = fileOfPage(session.doc, null);
  page.editor.commands.selectAll();
  page.editor.commands.deleteSelection();
  expect(shown()).toEqual(['(gone)', '(gone)']);
  restorationsOf(session.doc).page(file);
  expect(shown()).toEqual(['day began\nthe', 'day began\nthe']);
});

test('a cell whose row and column move', () => {
  const session = pageSession(tableSeed(['one two three', 'four five six', 'seven eight nine']));
  const page = openPage(session);
  const thread = followed(session.doc, anchorOn(session.doc, 'five'));
  caretInCell(page, 1, 1);
  for (const line of ['row', 'column'] as const) {
    const target = tableTarget(page.editor.state.selection);
    if (target === null) throw new Error('no table');
    expect(moveLine(page.editor.view, contextOf(page), target, line, 1)).toBe(true);
    expect(thread.words()).toBe('five');
  }
});

test('words that another person deletes while this one is offline, and takes back', () => {
  const { alice, bob, b, wire } = twoEditors(pageSeed(...LINES));
  const anchor = anchorOn(alice.doc, 'fine day');
  const [here, there] = [followed(alice.doc, anchor), followed(bob.doc, anchor)];
  wire.offline();
  select(b, 1, 5, 20);
  b.editor.commands.deleteSelection();
  wire.online();
  expect([here.words(), there.words()]).toEqual(['(gone)', '(gone)']);
  b.undo.undo();
  expect([here.words(), there.words()]).toEqual(['fine day', 'fine day']);
  expect([here, there].map(({ moves }) => moves.map(({ isOwn }) => isOwn))).toEqual([[false], [true]]);
});
