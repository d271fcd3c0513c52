import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import { blankSeed } from 'weft-document/seed.ts';
import * as Y from 'yjs';
import { shiftIndent, turnInto } from '../../src/editor/blocks/block-commands.ts';
import { deleteLines, tableTarget } from '../../src/editor/tables/table-commands.ts';
import { type OpenedPage, idsOf, linesOf, openPage, textsOf, wait } from '../support/editor/opened-page.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../support/editor/page-session.ts';
import { caretInCell, contextOf, gridOf, tableSeed } from '../support/editor/tables.ts';
import { twoEditors } from '../support/editor/two-people.ts';

const run = (page: OpenedPage, command: ReturnType<typeof turnInto>) =>
  command(page.editor.state, page.editor.view.dispatch, page.editor.view);

const PAGE = pageSeed('hello world again', 'second');

const selectedText = ({ editor: { state } }: OpenedPage) =>
  state.doc.textBetween(state.selection.from, state.selection.to);

// Alice does this to a block while Bob types in it.
test.each<[string, (a: OpenedPage) => void, readonly string[]]>([
  [
    'turns it into a bullet',
    (a) => run(a, turnInto({ kind: 'bullet' })),
    ['bullet: hello BBB world again', 'paragraph: second'],
  ],
  [
    'makes it a heading',
    (a) => run(a, turnInto({ kind: 'heading', level: 2 })),
    ['heading2: hello BBB world again', 'paragraph: second'],
  ],
  ['makes it code', (a) => run(a, turnInto({ kind: 'code' })), ['code: hello BBB world again', 'paragraph: second']],
  [
    'splits it after where he types',
    (a) => {
      a.caret(0, 12);
      void a.editor.view.someProp('handleKeyDown', (f) =>
        f(a.editor.view, new KeyboardEvent('keydown', { key: 'Enter' })),
      );
    },
    ['paragraph: hello BBB world ', 'paragraph: again', 'paragraph: second'],
  ],
  [
    'makes its first word bold',
    (a) => a.editor.chain().setTextSelection({ from: 1, to: 6 }).toggleBold().run(),
    ['paragraph: <bold:hello> BBB world again', 'paragraph: second'],
  ],
])('[T1] when one person %s while another types in it, both stay', (_name, act, lines) => {
  const { bob, wire, a, b, alice, agree } = twoEditors(PAGE);
  wire.offline();
  a.caret(0, 0);
  act(a);
  b.caret(0, 6);
  b.type('BBB ');
  wire.online();
  expect(linesOf(alice)).toEqual(lines);
  expect(linesOf(bob)).toEqual(lines);
  agree();
});

test('[T1] an indent and text in the same item both stay', () => {
  const { wire, a, b, alice, agree } = twoEditors(
    pageSeed({ kind: 'bullet', text: 'a' }, { kind: 'bullet', text: 'b' }),
  );
  wire.offline();
  a.caret(1, 0);
  run(a, shiftIndent(1));
  b.caret(1, -1);
  b.type('BBB');
  wire.online();
  expect(linesOf(alice)).toEqual(['bullet: a', 'bullet>1: bBBB']);
  agree();
});

test('[T1] a split before the typing position keeps the text, in the first half or the second', () => {
  const { wire, a, b, alice, agree } = twoEditors(PAGE);
  wire.offline();
  a.caret(0, 6);
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Enter' })));
  b.caret(0, 11);
  b.type('BBB');
  wire.online();
  expect(textsOf(alice).join('|')).toContain('BBB');
  agree();
});

test('two people who turn the same block agree on one kind and keep what they typed', () => {
  const { wire, a, b, alice, agree } = twoEditors(PAGE);
  wire.offline();
  a.caret(0, 0);
  run(a, turnInto({ kind: 'heading', level: 2 }));
  b.caret(0, 6);
  run(b, turnInto({ kind: 'bullet' }));
  b.type('BBB ');
  wire.online();
  expect(textsOf(alice)).toEqual(['hello BBB world again', 'second']);
  agree();
});

/** True if `whole` contains the characters of `part` in their order. */
function containsInOrder(whole: string, part: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

test.each([
  ['a block with words', pageSeed('start ')],
  ['the empty block of a new page', blankSeed()],
])('two people who type in %s at the same time lose and duplicate nothing', async (_name, seed) => {
  const { alice, wire, a, b, agree } = twoEditors(seed);
  const [mine, yours] = ['abcdefghijklm'.repeat(6), 'NOPQRSTUVWXYZ'.repeat(6)];
  a.caret(0, -1);
  b.caret(0, -1);
  for (let at = 0; at < mine.length; at += 3) {
    wire.offline();
    a.type(mine.slice(at, at + 3));
    b.type(yours.slice(at, at + 3));
    wire.online();
    if (at % 12 === 0) await wait(1);
  }
  const [text = ''] = textsOf(alice);
  expect(text.replace('start ', '').length).toBe(mine.length + yours.length);
  expect(containsInOrder(text, mine)).toBe(true);
  expect(containsInOrder(text, yours)).toBe(true);
  agree();
});

test('two people who start in the same new empty block at once share one text', () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('line'));
  a.caret(0, -1);
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Enter' })));
  const block = bodyOf(alice.doc).get(1);
  expect(block instanceof Y.XmlElement && block.length).toBe(1);
  b.caret(1, 0);
  for (let round = 0; round < 4; round++) {
    wire.offline();
    a.type('a');
    b.type('B');
    wire.online();
  }
  const [, text = ''] = textsOf(alice);
  expect([...text].sort().join('')).toBe('BBBBaaaa');
  agree();
});

test('text typed in a block stays when another removes the empty block before it (T3)', () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('', 'second'));
  wire.offline();
  a.caret(1, 0);
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Backspace' })));
  b.caret(1, -1);
  b.type(' BBB');
  wire.online();
  expect(textsOf(alice)).toEqual(['second BBB']);
  agree();
});

test('the caret stays at its text while another types before it in the same block', () => {
  const { a, b } = twoEditors(PAGE);
  a.caret(0, 11);
  b.caret(0, 0);
  b.type('many new words ');
  expect(a.editor.state.selection.$from.parentOffset).toBe(26);
  a.editor.commands.setTextSelection({ from: 16, to: 21 });
  b.caret(0, 0);
  b.type('more ');
  const { from, to } = a.editor.state.selection;
  expect(a.editor.state.doc.textBetween(from, to)).toBe('hello');
});

test('the caret stays at its text while another types in the block before', () => {
  const { a, b } = twoEditors(PAGE);
  a.caret(1, 3);
  b.caret(0, 0);
  b.type('many new words ');
  const { $from } = a.editor.state.selection;
  expect([$from.index(0), $from.parentOffset]).toEqual([1, 3]);
});

test('the caret stays at its characters while another splits the block before them, and joins it again', async () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('one', 'Intro sentence here. '));
  a.caret(1, -1);
  a.type('Ada writes');
  b.caret(1, 5);
  await b.press('{Enter}');
  a.type(' one');
  b.caret(2, 0);
  b.type('x');
  await b.press('{Enter}');
  a.type(' long sentence');
  expect(textsOf(alice)).toEqual(['one', 'Intro', 'x', ' sentence here. Ada writes one long sentence']);
  a.caret(3, 9);
  b.caret(3, 0);
  await b.press('{Backspace}');
  a.type('!');
  expect(textsOf(alice)).toEqual(['one', 'Intro', 'x sentence! here. Ada writes one long sentence']);
  a.editor.commands.setTextSelection({ from: 15, to: 23 });
  expect(selectedText(a)).toBe('sentence');
  b.caret(2, 1);
  await b.press('{Enter}');
  expect(selectedText(a)).toBe('sentence');
  agree();
});

test('if another splits the block, characters that are still on their way move with the text that they were typed after', async () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('Intro sentence here.'));
  a.caret(0, -1);
  a.type(' Ada');
  wire.offline();
  a.type(' writes');
  b.caret(0, 5);
  await b.press('{Enter}');
  wire.online();
  await wait(10);
  a.type(' on');
  expect(textsOf(alice)).toEqual(['Intro', ' sentence here. Ada writes on']);
  agree();
  a.caret(1, 9);
  wire.offline();
  a.type('s');
  b.caret(1, 1);
  await b.press('{Enter}');
  wire.online();
  await wait(10);
  a.type('!');
  expect(textsOf(alice)).toEqual(['Intro', ' ', 'sentences! here. Ada writes on']);
  agree();
});

test('if a block is deleted while you type in it, your next characters go into a new block, and no one else’s characters are deleted', async () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three'));
  a.caret(1, -1);
  await a.press(' hel');
  b.editor.view.dispatch(b.editor.state.tr.delete(5, 14));
  await a.press('{Backspace}lo');
  expect(textsOf(alice)).toEqual(['one', 'lo', 'three']);
  await a.press(' there{Backspace}');
  expect(textsOf(alice)).toEqual(['one', 'lo ther', 'three']);
  agree();
  // After a while a key applies to where the caret is shown.
  b.editor.view.dispatch(b.editor.state.tr.delete(5, 14));
  await wait(1_600);
  await a.press('x');
  expect(textsOf(alice).join('|')).toMatch(/^(?:onex\|three|one\|xthree)$/);
  agree();
});

test('someone who types in a row that another deletes continues below the table', async () => {
  const { alice, a, b, agree } = twoEditors(tableSeed(['n a', 'x 1', 'y 2']));
  caretInCell(a, 2, 0);
  await a.press('el');
  caretInCell(b, 2, 0);
  const target = tableTarget(b.editor.state.selection);
  if (target === null) throw new Error('not in a table');
  deleteLines(b.editor.view, contextOf(b), target, 'row');
  await a.press('se');
  expect(gridOf(alice)).toEqual(['n a', 'x 1']);
  expect(linesOf(alice)).toContain('paragraph: se');
  agree();
});

test('[T11] emoji typed in front of each other, and changed by halves, stay whole', () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('👩‍🚀😀'));
  for (const [mine, yours] of [
    ['😀', '😃'],
    ['👍🏽', '👍🏿'],
    ['🏳️‍🌈', '🏳️'],
  ] as const) {
    wire.offline();
    a.caret(0, 0);
    a.editor.view.dispatch(a.editor.state.tr.insertText(mine));
    b.caret(0, 0);
    b.editor.view.dispatch(b.editor.state.tr.insertText(yours));
    wire.online();
  }
  a.editor.view.dispatch(a.editor.state.tr.insertText('😃', 1, 3));
  const [text = ''] = textsOf(alice);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain('\uFFFD');
  expect(() => encodeURIComponent(text)).not.toThrow();
  agree();
});

test('[I6] others’ formatted text causes no local edit, however it meets one’s own', async () => {
  const { alice, bob, wire, a, b, agree } = twoEditors(pageSeed('hello world again'));
  a.editor.chain().setTextSelection({ from: 1, to: 12 }).toggleBold().run();
  b.editor.chain().setTextSelection({ from: 3, to: 8 }).toggleItalic().run();
  await wait(20);
  expect([alice.localUpdates.length, bob.localUpdates.length]).toEqual([1, 1]);
  wire.offline();
  a.editor.chain().setTextSelection({ from: 1, to: 18 }).toggleBold().run();
  b.editor.chain().setTextSelection({ from: 4, to: 9 }).toggleCode().run();
  b.type('new');
  wire.online();
  await wait(20);
  expect([alice.localUpdates.length, bob.localUpdates.length]).toEqual([2, 5]);
  agree();
});

test('others’ blocks, splits, joins and deletions cause no local edit', async () => {
  const { alice, b, agree } = twoEditors(pageSeed('one', { kind: 'task', text: 'two' }, 'three'));
  b.caret(0, -1);
  await b.press('{Enter}- x{Enter}y{Backspace}{Backspace}{Backspace}');
  b.editor.commands.selectAll();
  await b.press('{Backspace}');
  await wait(20);
  expect(alice.localUpdates).toEqual([]);
  agree();
});

test('undo takes back only local edits, of text and of kind', async () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('start'));
  a.caret(0, -1);
  a.type(' mine');
  b.caret(0, 0);
  b.type('yours ');
  a.undo.stopCapturing();
  run(a, turnInto({ kind: 'quote' }));
  expect(linesOf(alice)).toEqual(['quote: yours start mine']);
  a.editor.view.focus();
  await a.press('{Control>}z{/Control}');
  expect(linesOf(alice)).toEqual(['paragraph: yours start mine']);
  await a.press('{Control>}z{/Control}');
  expect(linesOf(alice)).toEqual(['paragraph: yours start']);
  await a.press('{Control>}z{/Control}{Control>}{Shift>}z{/Shift}{/Control}{Control>}{Shift>}z{/Shift}{/Control}');
  expect(linesOf(alice)).toEqual(['quote: yours start mine']);
  agree();
});

test('[T10] nothing from before the page was opened can be undone', () => {
  const session = pageSession(pageSeed('words'));
  const page = openPage(session);
  expect(page.undo.undo()).toBeNull();
  expect(linesOf(session)).toEqual(['paragraph: words']);
});

test('undoing the creation of a block keeps it if someone else typed in it', () => {
  const { alice, a, b, agree } = twoEditors(pageSeed('one'));
  a.caret(0, -1);
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Enter' })));
  run(a, turnInto({ kind: 'quote' }));
  a.type('mine');
  const ids = idsOf(alice);
  b.caret(1, -1);
  b.type('theirs');
  a.undo.undo();
  expect(linesOf(alice)).toEqual(['paragraph: one', 'quote: theirs']);
  expect(idsOf(alice)).toEqual(ids);
  agree();
});

test('undoing the creation of a block removes it if no one did', () => {
  const { alice, a, agree } = twoEditors(pageSeed('one'));
  a.caret(0, -1);
  a.editor.view.someProp('handleKeyDown', (f) => f(a.editor.view, new KeyboardEvent('keydown', { key: 'Enter' })));
  a.type('mine');
  a.undo.undo();
  expect(textsOf(alice)).toEqual(['one']);
  agree();
});

test('[T7] a merge that shrinks the page before the caret throws nothing', () => {
  const { alice, wire, a, b, agree } = twoEditors(pageSeed('one', 'two', 'three', 'four'));
  a.caret(3, -1);
  wire.offline();
  a.type('!');
  b.editor.commands.selectAll();
  b.editor.commands.deleteSelection();
  expect(() => wire.online()).not.toThrow();
  expect(textsOf(alice)).toEqual(['']);
  agree();
});

test('[T7] an exception of the binding stays in the editor, which redraws the page', () => {
  const alice = pageSession(pageSeed('one'));
  const bob = pageSession(pageSeed('one'));
  connect(alice, bob);
  const page = openPage(alice);
  // Showing the change fails once.
  const { view } = page.editor;
  const dispatch = view.dispatch.bind(view);
  let failures = 0;
  Object.defineProperty(view, 'dispatch', {
    configurable: true,
    value: (transaction: Parameters<typeof dispatch>[0]) => {
      if (failures++ === 0) throw new RangeError('Position 7 out of range');
      dispatch(transaction);
    },
  });
  const block = bodyOf(bob.doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) text.insert(3, ' and more');
  expect(failures).toBe(2);
  expect(view.state.doc.textContent).toBe('one and more');
  expect(alice.localUpdates).toEqual([]);
});

test('[T2] both copies of a block that two people moved at once keep their ids in later edits', () => {
  const session = pageSession(pageSeed({ id: 'same', text: 'a' }, { id: 'same', text: 'b' }));
  const page = openPage(session);
  page.caret(1, -1);
  page.type('!');
  // Two blocks with one id are not repaired by this edit: that would be a repair for everyone.
  expect(idsOf(session)).toEqual(['same', 'same']);
  expect(session.localUpdates.length).toBe(1);
});

test('a closed editor leaves nothing on the document', () => {
  const session: PageSession = pageSession(pageSeed('one'));
  const listeners = () => JSON.stringify([...session.doc._observers].map(([name, all]) => [name, all.size]));
  const deep = () => bodyOf(session.doc)._dEH.l.length;
  const before = [listeners(), deep()];
  for (let i = 0; i < 3; i++) openPage(session).close();
  expect([listeners(), deep()]).toEqual(before);
});
