import type { Command, Transaction } from '@tiptap/pm/state';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { insertDivider, shiftIndent, turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { idsOf, linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

/** The content of a blank page after these keys. */
async function typed(keys: string): Promise<readonly string[]> {
  const session = pageSession();
  await openPage(session).press(keys);
  return linesOf(session);
}

test.each([
  ['# One', 'heading1: One'],
  ['## Two', 'heading2: Two'],
  ['### Three', 'heading3: Three'],
  ['- item', 'bullet: item'],
  ['* item', 'bullet: item'],
  ['1. first', 'numbered: first'],
  ['[[] todo', 'task: todo'],
  ['[[ ] todo', 'task: todo'],
  ['[[x] done', 'taskx: done'],
  ['> said', 'quote: said'],
  ['``` code', 'code: code'],
  ['```ts{Enter}code', 'code(ts): code'],
  ['**bold** x', 'paragraph: <bold:bold> x'],
  ['*it* x', 'paragraph: <italic:it> x'],
  ['_it_ x', 'paragraph: <italic:it> x'],
  ['~~no~~ x', 'paragraph: <strike:no> x'],
  ['`c` x', 'paragraph: <code:c> x'],
  ['[[w](weft.dev) x', 'paragraph: <https://weft.dev:w> x'],
  ['[[w](javascript:alert) x', 'paragraph: [w](javascript:alert) x'],
  ['https://weft.dev/a now', 'paragraph: <https://weft.dev/a:https://weft.dev/a> now'],
  ['See https://weft.dev/a. Then', 'paragraph: See <https://weft.dev/a:https://weft.dev/a>. Then'],
  ['or www.weft.dev?!) x', 'paragraph: or <https://www.weft.dev:www.weft.dev>?!) x'],
  ['https://weft.dev/a_(b)) x', 'paragraph: <https://weft.dev/a_(b):https://weft.dev/a_(b)>) x'],
  ['https://... x', 'paragraph: https://… x'],
  ['- # both', 'heading1: both'],
])('typing %s makes "%s"', async (keys, line) => {
  expect(await typed(keys)).toEqual([line]);
});

test('Enter after a URL at the end of a line makes it a link, and then does what it always does', async () => {
  const link = '<https://weft.dev/b:https://weft.dev/b>';
  expect(await typed('- at https://weft.dev/b.{Enter}x')).toEqual([`bullet: at ${link}.`, 'bullet: x']);
  expect(await typed('https://weft.dev/b{Shift>}{Enter}{/Shift}x')).toEqual([`paragraph: ${link}\nx`]);
  expect(await typed('a https://weft.dev/b{Enter}{Control>}z{/Control}')).toEqual(['paragraph: a https://weft.dev/b']);
  expect(await typed('```js{Enter}https://weft.dev/b{Enter}x')).toEqual(['code(js): https://weft.dev/b\nx']);
});

test('three dashes make a divider and leave the block for writing on', async () => {
  const session = pageSession();
  await openPage(session).press('---after');
  expect(linesOf(session)).toEqual(['---', 'paragraph: after']);
  expect(idsOf(session)[1]).toBe('blank-1');
});

test('a divider of the menu comes after all selected blocks', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  const { state, dispatch } = page.editor.view;
  insertDivider(state, dispatch);
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: two', 'paragraph: three', '---']);
});

test('nothing is converted in code', async () => {
  expect(await typed('```js{Enter}# a **b** `c` - d')).toEqual(['code(js): # a **b** `c` - d']);
});

test('Enter in code adds a line; pressed twice at the end it leaves the code', async () => {
  expect(await typed('```js{Enter}a{Enter}b{Enter}{Enter}out')).toEqual(['code(js): a\nb', 'paragraph: out']);
});

test('Mod-Enter leaves code from anywhere', async () => {
  expect(await typed('```js{Enter}ab{ArrowLeft}{Control>}{Enter}{/Control}out')).toEqual([
    'code(js): ab',
    'paragraph: out',
  ]);
});

test('Enter continues a list, and on an empty line ends it one indent at a time', async () => {
  expect(await typed('- a{Enter}{Tab}b{Enter}{Enter}c{Enter}{Enter}d')).toEqual([
    'bullet: a',
    'bullet>1: b',
    'bullet: c',
    'paragraph: d',
  ]);
});

test('Enter on the empty last line of a toggle leaves it; on an empty line in its middle it only adds a line', async () => {
  expect(await typed('>> t{Enter}a{Enter}{Enter}b')).toEqual(['toggle: t', 'paragraph>1: a', 'paragraph: b']);
  expect(await typed('>> t{Enter}{Enter}b')).toEqual(['toggle: t', 'paragraph: b']);
  expect(await typed('>> t{Enter}- a{Enter}{Enter}{Enter}b')).toEqual(['toggle: t', 'bullet>1: a', 'paragraph: b']);
  const session = pageSession(
    pageSeed({ kind: 'toggle', text: 't' }, { indent: 1, text: '' }, { indent: 1, text: 'a' }),
  );
  const page = openPage(session);
  page.caret(1, 0);
  await page.press('{Enter}x');
  expect(linesOf(session)).toEqual(['toggle: t', 'paragraph>1: ', 'paragraph>1: x', 'paragraph>1: a']);
});

test('three Enters leave a nested list', async () => {
  expect(await typed('- a{Enter}{Tab}b{Enter}{Enter}{Enter}c')).toEqual(['bullet: a', 'bullet>1: b', 'paragraph: c']);
});

test('a heading is followed by a paragraph', async () => {
  expect(await typed('# a{Enter}b')).toEqual(['heading1: a', 'paragraph: b']);
});

test('Shift-Enter breaks the line inside the block', async () => {
  expect(await typed('a{Shift>}{Enter}{/Shift}b{Shift>}{Enter}{/Shift}c')).toEqual(['paragraph: a\nb\nc']);
});

test('text typed into a block with line breaks keeps the breaks', async () => {
  const session = pageSession(pageSeed('one\ntwo\nthree'));
  const page = openPage(session);
  page.caret(0, 5);
  await page.press('x{Delete}y{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: one\ntxo\nthree']);
});

test('splitting keeps the id with the first half; the second half gets a new one', async () => {
  const session = pageSession(pageSeed('onetwo'));
  const page = openPage(session);
  page.caret(0, 3);
  await page.press('{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: two']);
  const [first, second] = idsOf(session);
  expect(first).toBe('line-0');
  expect(second).toMatch(/^[0-9a-v]{12}$/);
});

test('Enter at the start puts an empty block before and keeps the id with the text', async () => {
  const session = pageSession(pageSeed({ kind: 'heading', level: 2, text: 'words' }));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('{Enter}');
  expect(linesOf(session)).toEqual(['paragraph: ', 'heading2: words']);
  expect(idsOf(session)[1]).toBe('line-0');
});

test('Backspace at the start removes the kind, then the indent, then joins', async () => {
  const session = pageSession(pageSeed('a', { kind: 'bullet', indent: 1, text: 'b' }));
  const page = openPage(session);
  page.caret(1, 0);
  const steps: (readonly string[])[] = [];
  for (let i = 0; i < 3; i++) {
    await page.press('{Backspace}');
    steps.push(linesOf(session));
  }
  expect(steps).toEqual([['paragraph: a', 'paragraph>1: b'], ['paragraph: a', 'paragraph: b'], ['paragraph: ab']]);
});

test('Backspace after an empty block or a divider removes that one, not the block with the text', async () => {
  const session = pageSession(pageSeed('', { node: 'divider' }, 'words'));
  const page = openPage(session);
  page.caret(2, 0);
  await page.press('{Backspace}{Backspace}');
  expect(linesOf(session)).toEqual(['paragraph: words']);
  expect(idsOf(session)).toEqual(['line-2']);
});

test('Delete at the end joins the next block', async () => {
  const session = pageSession(pageSeed('a', '', 'b'));
  const page = openPage(session);
  page.caret(0, -1);
  await page.press('{Delete}{Delete}');
  expect(linesOf(session)).toEqual(['paragraph: ab']);
});

test('Tab indents at most one step deeper than the block before, Shift-Tab outdents', async () => {
  const session = pageSession(pageSeed({ kind: 'bullet', text: 'a' }, { kind: 'bullet', text: 'b' }));
  const page = openPage(session);
  page.caret(1, 0);
  await page.press('{Tab}{Tab}{Tab}');
  expect(linesOf(session)).toEqual(['bullet: a', 'bullet>1: b']);
  await page.press('{Shift>}{Tab}{/Shift}');
  expect(linesOf(session)).toEqual(['bullet: a', 'bullet: b']);
});

test('Escape, then Tab leaves the text: keyboard users are not trapped', async () => {
  const session = pageSession(pageSeed('a', 'b'));
  const page = openPage(session);
  const after = document.body.appendChild(document.createElement('button'));
  page.caret(1, 0);
  await page.press('{Escape}{Tab}');
  expect(document.activeElement).toBe(after);
  expect(linesOf(session)).toEqual(['paragraph: a', 'paragraph: b']);
  after.remove();
});

test('an edit of someone else between Escape and Tab changes nothing: Tab still leaves the text', async () => {
  const { a, alice, b } = twoEditors(pageSeed('a', 'b'));
  a.caret(1, 0);
  await a.press('{Escape}');
  b.editor.view.dispatch(b.editor.state.tr.insertText('x', 1));
  await a.press('{Tab}');
  expect(a.editor.view.hasFocus()).toBe(false);
  expect(linesOf(alice)).toEqual(['paragraph: xa', 'paragraph: b']);
});

test('keys set marks, but none in code', async () => {
  const session = pageSession(pageSeed('plain', { kind: 'code', text: 'code' }));
  const page = openPage(session);
  for (const from of [1, 8]) {
    page.editor.commands.setTextSelection({ from, to: from + (from === 1 ? 5 : 4) });
    await page.press('{Control>}b{/Control}{Control>}i{/Control}{Control>}u{/Control}');
  }
  expect(linesOf(session)).toEqual(['paragraph: <bold,italic,underline:plain>', 'code: code']);
});

test('Mod-Alt-2 makes a heading, and a second press undoes it', async () => {
  const session = pageSession(pageSeed('words'));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('{Control>}{Alt>}2{/Alt}{/Control}');
  expect(linesOf(session)).toEqual(['heading2: words']);
  await page.press('{Control>}{Alt>}2{/Alt}{/Control}');
  expect(linesOf(session)).toEqual(['paragraph: words']);
});

test('a task is ticked by its checkbox and by Mod-Enter, with one attribute each time', async () => {
  const session = pageSession(pageSeed('a', { kind: 'task', text: 'b' }));
  const page = openPage(session);
  const box = () => page.editor.view.dom.querySelector('input') ?? document.body;
  await userEvent.click(box());
  expect(linesOf(session)).toEqual(['paragraph: a', 'taskx: b']);
  page.caret(1, 0);
  await page.press('{Control>}{Enter}{/Control}');
  expect(linesOf(session)).toEqual(['paragraph: a', 'task: b']);
  expect(session.localUpdates.map((update) => update.length < 40)).toEqual([true, true]);
});

test('in a read-only page no task can be ticked', async () => {
  const session = pageSession(pageSeed({ kind: 'task', text: 'b' }));
  const page = openPage(session, false);
  await userEvent.click(page.editor.view.dom.querySelector('input') ?? document.body);
  expect(session.localUpdates).toEqual([]);
  expect(page.editor.view.dom.querySelector('input')?.checked).toBe(false);
});

test('selecting everything and deleting leaves one block to write in', async () => {
  const session = pageSession(pageSeed('a', { kind: 'heading', text: 'b' }, { node: 'divider' }));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('{Control>}aa{/Control}{Backspace}new');
  expect(linesOf(session)).toEqual(['paragraph: new']);
});

test('text typed after deleting everything, or over blocks, behaves as in any block', async () => {
  const session = pageSession(pageSeed('one', 'two'));
  const page = openPage(session);
  page.caret(0, 1);
  await page.press('{Control>}aa{/Control}{Delete}"Hello" she');
  expect(linesOf(session)).toEqual(['paragraph: “Hello” she']);
  await page.press('{Escape}"so" - **b** x');
  expect(linesOf(session)).toEqual(['paragraph: “so” - <bold:b> x']);
  await page.press('{Escape}# One');
  expect(linesOf(session)).toEqual(['heading1: One']);
});

test('undo takes back one line at a time, and text typed before the caret was moved separately', async () => {
  const session = pageSession(pageSeed('zero', ''));
  const page = openPage(session);
  page.caret(1, 0);
  // Each word at once: on a machine that pauses in one, the undo step would end there.
  page.type('one');
  for (const word of ['two', 'three']) {
    await page.press('{Enter}');
    page.type(word);
  }
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: zero', 'paragraph: one', 'paragraph: two']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: zero', 'paragraph: one']);
  // Not in the first line: soon after the focus ProseMirror takes Home there for a lost caret.
  page.caret(1, -1);
  await page.press('!{Home}>{End}?');
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: zero', 'paragraph: >one!']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: zero', 'paragraph: one!']);
});

test('one character costs few bytes', () => {
  const session = pageSession(pageSeed('words', 'more words'));
  const page = openPage(session);
  page.caret(0, -1);
  page.type('!');
  expect(session.localUpdates.length).toBe(1);
  expect(session.localUpdates[0]?.length).toBeLessThan(30);
});

test('five thousand blocks are turned and indented by one step each: the cost does not grow with the page', async () => {
  const session = pageSession(pageSeed('first', ...Array.from({ length: 4_999 }, (_, n) => `line ${n}`)));
  const page = openPage(session);
  await page.drawn();
  const run = (command: Command) => {
    const steps: number[] = [];
    const note = ({ transaction }: { transaction: Transaction }) => void steps.push(transaction.steps.length);
    page.editor.on('transaction', note);
    command(page.editor.state, page.editor.view.dispatch, page.editor.view);
    page.editor.off('transaction', note);
    return steps;
  };
  page.editor.commands.selectAll();
  expect(run(turnInto({ kind: 'bullet' }))).toEqual([1]);
  expect(run(shiftIndent(1))).toEqual([1]);
  const lines = linesOf(session);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['bullet: first', 'bullet>1: line 0', 'bullet>1: line 4998']);
});
