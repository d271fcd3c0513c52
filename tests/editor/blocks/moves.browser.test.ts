import { Node } from '@tiptap/pm/model';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { page as browserPage } from 'vitest/browser';
import { BlockSelection, positionOf } from '../../../src/editor/blocks/block-selection.ts';
import { moveSelected, moveTo } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { GripPress } from '../../../src/editor/menus/grip.ts';
import { idsOf, linesOf, openPage, textsOf, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { twoEditors } from '../../support/editor/two-people.ts';

beforeAll(() => browserPage.viewport(1280, 800));

const LIST = pageSeed(
  'one',
  { kind: 'toggle', text: 'two' },
  { kind: 'bullet', indent: 1, text: 'body a' },
  { kind: 'bullet', indent: 2, text: 'body b' },
  'three',
);

test('Alt-Shift-Down and -Up move a block with its caret, its id and its body', async () => {
  const session = pageSession(LIST);
  const page = openPage(session);
  page.caret(1, 2);
  await page.press('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  expect(linesOf(session)).toEqual([
    'paragraph: one',
    'paragraph: three',
    'toggle: two',
    'bullet>1: body a',
    'bullet>2: body b',
  ]);
  expect(idsOf(session)).toEqual(['line-0', 'line-4', 'line-1', 'line-2', 'line-3']);
  await page.press('X');
  expect(textsOf(session)[2]).toBe('twXo');
  await page.press('{Alt>}{Shift>}{ArrowUp}{ArrowUp}{/Shift}{/Alt}');
  expect(textsOf(session)).toEqual(['twXo', 'body a', 'body b', 'one', 'three']);
  await page.press('{Alt>}{Shift>}{ArrowUp}{/Shift}{/Alt}');
  expect(textsOf(session)[0]).toBe('twXo');
});

test('a move is one undo step, and undo restores the ids', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  page.caret(0, 0);
  await page.press('ab{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  expect(textsOf(session)).toEqual(['two', 'abone', 'three']);
  await page.press('{Control>}z{/Control}');
  expect(textsOf(session)).toEqual(['abone', 'two', 'three']);
  expect(idsOf(session)).toEqual(['line-0', 'line-1', 'line-2']);
});

test('moving a block past another rewrites the lighter of the two, and nothing of the other', () => {
  const long = 'a long paragraph that no one wants to lose a word of, not even for a moment '.repeat(20);
  const session = pageSession(pageSeed(long, 'short'));
  const page = openPage(session);
  page.caret(0, 5);
  expect(moveSelected(page.editor, page.context, 1)).toBe(true);
  expect(textsOf(session)).toEqual(['short', long]);
  expect(session.localUpdates.length).toBe(1);
  expect(session.localUpdates[0]?.length).toBeLessThan(200);
});

test('a block that leaves a body is outdented as far as needed', () => {
  const session = pageSession(pageSeed({ kind: 'bullet', text: 'a' }, { kind: 'bullet', indent: 1, text: 'b' }));
  const page = openPage(session);
  page.caret(1, 0);
  moveSelected(page.editor, page.context, -1);
  expect(linesOf(session)).toEqual(['bullet: b', 'bullet: a']);
});

test('a block put between another and its body joins the body', () => {
  const session = pageSession(LIST);
  const page = openPage(session);
  moveTo(page.editor.view, page.undo, { from: 4, to: 5 }, 2);
  expect(linesOf(session).slice(1, 4)).toEqual(['toggle: two', 'paragraph>1: three', 'bullet>1: body a']);
});

test('a block of a newer app is moved completely', () => {
  const session = pageSession(pageSeed('one', { node: 'hologram', text: 'kept', depth: 3 }));
  const page = openPage(session);
  moveTo(page.editor.view, page.undo, { from: 1, to: 2 }, 0);
  expect(linesOf(session)).toEqual(['unknown hologram', 'paragraph: one']);
  expect(session.doc.getXmlFragment('body').toString()).toContain(
    '<hologram depth="3" id="line-1" kind="paragraph">kept</hologram>',
  );
});

test('Escape selects the block, Shift-arrows extend the selection, and each command applies to all of it', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three', 'four'));
  const page = openPage(session);
  page.caret(1, 1);
  await page.press('{Escape}');
  expect(page.editor.state.selection).toBeInstanceOf(BlockSelection);
  await page.press('{Shift>}{ArrowDown}{/Shift}');
  expect(page.editor.view.dom.querySelectorAll('.is-selected').length).toBe(2);
  await page.press('{Tab}');
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph>1: two', 'paragraph>1: three', 'paragraph: four']);
  await page.press('{Control>}{Alt>}2{/Alt}{/Control}');
  expect(linesOf(session)).toEqual(['paragraph: one', 'heading2>1: two', 'heading2>1: three', 'paragraph: four']);
  await page.press('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  expect(textsOf(session)).toEqual(['one', 'four', 'two', 'three']);
  await page.press('{Control>}d{/Control}');
  expect(textsOf(session)).toEqual(['one', 'four', 'two', 'three', 'two', 'three']);
  expect(new Set(idsOf(session)).size).toBe(6);
  await page.press('{Backspace}');
  expect(textsOf(session)).toEqual(['one', 'four', 'two', 'three']);
  await page.press('{Escape}{Escape}!');
  expect(textsOf(session)[3]).toBe('three!');
});

test('Shift-Down in a block’s last line selects whole blocks', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  page.caret(0, 1);
  await page.press('{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}{Delete}');
  expect(textsOf(session)).toEqual(['three']);
});

test('Ctrl-A selects the block, then the page; typed characters replace it', async () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  page.caret(1, 1);
  await page.press('{Control>}a{/Control}X');
  expect(textsOf(session)).toEqual(['one', 'X', 'three']);
  await page.press('{Control>}aa{/Control}new');
  expect(linesOf(session)).toEqual(['paragraph: new']);
});

test('Tab indents the deeper blocks below as well', async () => {
  const session = pageSession(
    pageSeed({ kind: 'bullet', text: 'a' }, { kind: 'bullet', text: 'b' }, { kind: 'bullet', indent: 1, text: 'c' }),
  );
  const page = openPage(session);
  page.caret(1, 0);
  await page.press('{Tab}');
  expect(linesOf(session)).toEqual(['bullet: a', 'bullet>1: b', 'bullet>2: c']);
  await page.press('{Shift>}{Tab}{/Shift}');
  expect(linesOf(session)).toEqual(['bullet: a', 'bullet: b', 'bullet>1: c']);
});

test('in a read-only page nothing is moved, duplicated or deleted', async () => {
  const session = pageSession(pageSeed('one', 'two'));
  const page = openPage(session, false);
  page.caret(0, 0);
  await page.press('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}{Control>}d{/Control}{Escape}{Delete}');
  expect(session.localUpdates).toEqual([]);
});

test('[T2] two people who move one block at once leave one, with its id', async () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three', 'four'));
  wire.offline();
  moveTo(a.editor.view, a.undo, { from: 0, to: 1 }, 3);
  moveTo(b.editor.view, b.undo, { from: 0, to: 1 }, 4);
  wire.online();
  await wait(10);
  expect([...textsOf(alice)].toSorted()).toEqual(['four', 'one', 'three', 'two']);
  expect(new Set(idsOf(alice)).size).toBe(4);
  agree();
});

test('[T2] both move a block and one changes it meanwhile: every word stays', async () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three'));
  wire.offline();
  moveTo(a.editor.view, a.undo, { from: 0, to: 1 }, 3);
  moveTo(b.editor.view, b.undo, { from: 0, to: 1 }, 2);
  b.caret(1, -1);
  b.type(' more');
  wire.online();
  await wait(10);
  expect(textsOf(alice).join('|')).toContain('one more');
  expect(new Set(idsOf(alice)).size).toBe(idsOf(alice).length);
  agree();
});

test('[T6] while blocks are moved, another person keeps typing in the same block', () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three', 'four'));
  b.caret(2, 2);
  a.caret(3, 0);
  moveSelected(a.editor, a.context, -1);
  moveSelected(a.editor, a.context, -1);
  b.type('XX');
  expect(textsOf(alice)).toEqual(['one', 'four', 'two', 'thXXree']);
  agree();
});

test('someone who types in a block that another moves continues in it', () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three'));
  b.caret(0, 2);
  moveTo(a.editor.view, a.undo, { from: 0, to: 1 }, 3);
  b.type('XX');
  expect(textsOf(alice)).toEqual(['two', 'three', 'onXXe']);
  agree();
});

test('dragged blocks stay the ones that were taken while someone writes above them', () => {
  const { a, alice, b } = twoEditors(pageSeed('one', 'two', 'three'));
  const boxOf = (index: number) => {
    const dom = a.editor.view.nodeDOM(positionOf(a.editor.state.doc, index));
    return dom instanceof Element ? dom.getBoundingClientRect() : new DOMRect();
  };
  const pointerAt = (clientX: number, clientY: number) => new PointerEvent('pointermove', { clientX, clientY });
  const { left, top } = boxOf(1);
  const press = new GripPress(a.editor, { from: 1, to: 2 }, pointerAt(left, top));
  press.move(pointerAt(left, boxOf(2).bottom - 2));
  const { state, view } = b.editor;
  view.dispatch(state.tr.insert(0, state.schema.node('block', null, state.schema.text('new'))));
  press.move(pointerAt(left, boxOf(3).bottom - 2));
  press.end(a.undo, true);
  expect(textsOf(alice)).toEqual(['new', 'one', 'three', 'two']);
});

test('with all blocks of a long page selected, an edit of someone else does not look for each of them', async () => {
  const count = 2_000;
  const { a, b } = twoEditors(pageSeed(...Array.from({ length: count }, (_, at) => `line ${at}`)));
  await Promise.all([a.drawn(), b.drawn()]);
  const { view } = a.editor;
  view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, 0, count - 1)));
  const child = vi.spyOn(Node.prototype, 'child');
  onTestFinished(() => child.mockRestore());
  b.caret(0, 0);
  b.type('x');
  expect(a.editor.state.doc.firstChild?.textContent).toBe('xline 0');
  expect(a.editor.state.selection).toBeInstanceOf(BlockSelection);
  expect(child.mock.calls.length).toBeLessThan(100 * count);
});
