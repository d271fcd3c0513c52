// One edit that changes several places of a text while another person types between them. Without writing step by step
// the document would get one change of the whole range, and what is typed inside it would be lost.
import type { Transaction } from '@tiptap/pm/state';
import { expect, test, vi } from 'vitest';
import { bindingOf } from '../../../src/editor/binding/binding-of.ts';
import { find, replaceAll } from '../../../src/editor/find/find-in-page.ts';
import { prng } from '../../../src/lib/prng.ts';
import { type OpenEditor, productEditor, withTiptapBinding } from '../../support/editor/editor-variants.ts';
import { guarded } from '../../support/editor/guarded.ts';
import { type OpenedPage, linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, gridOf, tableSeed } from '../../support/editor/tables.ts';
import { twoPeople, wordsOf } from '../../support/editor/two-people.ts';

type Act = (page: OpenedPage) => unknown;

/** The character that triggers an input rule is typed like any other: by the browser. */
const type = (page: OpenedPage, characters: string) => page.press(characters);
const dispatchChange = ({ editor: { state, view } }: OpenedPage, change: (transaction: Transaction) => unknown) => {
  const { tr } = state;
  change(tr);
  view.dispatch(tr);
};

/** Alice acts on the first line; Bob types "BBB" at `at` in it before he receives her edit. */
function testKeepsWords(title: string, line: PageLine, act: Act, at: number, kept: string, lost: string): void {
  guarded<OpenEditor, readonly (string | undefined)[]>(title, {
    on: productEditor,
    off: withTiptapBinding(),
    scenario: async (openEditor) => {
      const { alice, bob, wire } = twoPeople(pageSeed(line));
      const [a, b] = [openEditor(alice), openEditor(bob)];
      wire.offline();
      a.caret(0, -1);
      await act(a);
      b.caret(0, at);
      b.type('BBB');
      wire.online();
      expect(a.shown()).toEqual(b.shown());
      return [linesOf(alice)[0], linesOf(bob)[0]];
    },
    kept: [kept, kept],
    lost: [lost, lost],
  });
}

testKeepsWords(
  'two closing stars make text bold: what another types in it stays in it',
  'say **hello world*',
  (page) => type(page, '*'),
  11,
  'paragraph: say <bold:helloBBB world>',
  'paragraph: say BBB<bold:hello world>',
);

testKeepsWords(
  'a URL in round brackets makes a link: what another types in its text stays there',
  'see [the tide table](example.org',
  (page) => type(page, ')'),
  8,
  'paragraph: see <https://example.org:theBBB tide table>',
  'paragraph: see BBB<https://example.org:the tide table>',
);

testKeepsWords(
  'two closing equals signs highlight text: what another types in it stays in it',
  'the ==tide turns=',
  (page) => type(page, '='),
  10,
  'paragraph: the <highlight:tideBBB turns>',
  'paragraph: the BBB<highlight:tide turns>',
);

testKeepsWords(
  'many words are replaced at once: what another types between two of them stays there',
  'tide and '.repeat(80),
  (page) => {
    find(page.editor, { text: 'tide', isRegex: false, isCaseSensitive: false, isWholeWord: true });
    replaceAll(page.editor, page.undo, 'time');
  },
  9 * 40 + 5,
  `paragraph: ${'time and '.repeat(40)}time BBBand ${'time and '.repeat(39)}`,
  `paragraph: tiBBBme and ${'time and '.repeat(79)}`,
);

testKeepsWords(
  'text is dragged within its block: what another types in between stays there',
  'one two three four',
  (page) =>
    dispatchChange(page, (transaction) => {
      // Like ProseMirror handles a drop.
      const words = page.editor.state.doc.slice(1, 5);
      transaction.delete(1, 5).insert(transaction.mapping.map(19), words.content);
    }),
  8,
  'paragraph: two BBBthree fourone ',
  'paragraph: BBBtwo three fourone ',
);

testKeepsWords(
  'lines of code are indented: what another types in them stays in its line',
  { kind: 'code', text: 'one\ntwo\nthree' },
  (page) => {
    page.editor.commands.setTextSelection({ from: 1, to: 13 });
    return page.press('{Tab}');
  },
  7,
  'code:   one\n  twoBBB\n  three',
  'code: BBB  one\n  two\n  three',
);

testKeepsWords(
  'characters change in two places and the block is split after them: what another types in between stays there',
  'one two three four',
  (page) => dispatchChange(page, (transaction) => transaction.insertText('1', 1, 4).insertText('2', 3, 6).split(5)),
  5,
  'paragraph: 1 BBB2 ',
  'paragraph: BBB1 2 ',
);

test('the same works in a table cell', () => {
  const { alice, bob, wire } = twoPeople(tableSeed(['onetwothree b']));
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  caretInCell(a, 0, 0, 0);
  const { from } = a.editor.state.selection;
  dispatchChange(a, (transaction) => transaction.insertText('1', from, from + 3).insertText('3', from + 4, from + 9));
  caretInCell(b, 0, 0, 4);
  b.type('B');
  wire.online();
  expect(gridOf(alice)).toEqual(['1tBwo3 b']);
  expect(a.shown()).toEqual(b.shown());
});

test('it is one edit and one undo step', () => {
  const session = pageSession(pageSeed('one two three'));
  const page = openPage(session);
  dispatchChange(page, (transaction) => transaction.insertText('3', 9, 14).insertText('1', 1, 4));
  expect([session.localUpdates.length, wordsOf(session)]).toEqual([1, ['1 two 3']]);
  page.undo.undo();
  expect(wordsOf(session)).toEqual(['one two three']);
});

test('if a word is replaced by a similar one, only the characters that differ are written', () => {
  const session = pageSession(pageSeed('a colour'));
  const page = openPage(session);
  dispatchChange(page, (transaction) => transaction.insertText('color', 3, 9));
  expect(wordsOf(session)).toEqual(['a color']);
  // The existing characters keep their place: nothing was inserted.
  expect(session.localUpdates[0]?.length).toBeLessThan(16);
});

test('moving the caret does not read the document', () => {
  const page = openPage(pageSession(pageSeed('one', 'two')));
  const nodes = bindingOf(page.editor.state)?.nodes;
  if (nodes === undefined) throw new Error('no binding');
  const set = vi.spyOn(nodes, 'set');
  page.caret(0, 1);
  page.caret(1, 1);
  expect(set).not.toHaveBeenCalled();
  page.type('x');
  expect(set).toHaveBeenCalled();
});

test('whatever steps an edit has, and wherever another types, both documents agree and no word is torn apart', () => {
  const random = prng(5);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < 60; round++) {
    const { alice, bob, wire } = twoPeople(
      pageSeed('one two three four five six', { text: 'bold words here', marks: { bold: {} } }, '😀 seven'),
    );
    const [a, b] = [openPage(alice), openPage(bob)];
    wire.offline();
    dispatchChange(a, (transaction) => {
      const { schema } = a.editor.state;
      const bold = schema.mark('bold');
      for (let step = 0; step < 1 + below(6); step++) {
        const [one, other] = [below(transaction.doc.content.size), below(transaction.doc.content.size)];
        const [$from, $to] = [
          transaction.doc.resolve(Math.min(one, other)),
          transaction.doc.resolve(Math.max(one, other)),
        ];
        const action = below(6);
        if (!$from.parent.isTextblock || !$to.parent.isTextblock) continue;
        if (action === 0) transaction.insert($from.pos, schema.text('new', below(2) < 1 ? [bold] : []));
        else if (action === 1) transaction.insertText('x', $from.pos);
        else if (action === 2 && $from.sameParent($to)) transaction.delete($from.pos, Math.min($to.pos, $from.pos + 3));
        else if (action === 3 && $from.sameParent($to)) transaction.addMark($from.pos, $to.pos, bold);
        else if (action === 4) transaction.split($from.pos);
        else if (action === 5 && $from.sameParent($to)) transaction.replaceWith($from.pos, $to.pos, schema.text('two'));
      }
    });
    expect(bindingOf(a.editor.state)?.body.length).toBe(a.editor.state.doc.childCount);
    b.caret(below(3), 2 * below(3));
    b.editor.view.dispatch(b.editor.state.tr.insertText('BBB'));
    wire.online();
    expect(linesOf(alice), `round ${round}`).toEqual(linesOf(bob));
    expect(a.shown(), `round ${round}`).toEqual(b.shown());
    expect(wordsOf(alice).join('').isWellFormed()).toBe(true);
    a.close();
    b.close();
  }
});
