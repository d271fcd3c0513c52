// Whole pages are written at once, however they differ: what stays keeps its elements, so what another person types in it stays too.
import type { Node } from '@tiptap/pm/model';
import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import type * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import { type OpenedPage, linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { caretInCell, tableSeed } from '../../support/editor/tables.ts';
import { nodesOf, twoPeople, wordsOf } from '../../support/editor/two-people.ts';

const LINES: readonly PageLine[] = [
  'one two three',
  { kind: 'heading', level: 2, text: 'four' },
  { node: 'divider' },
  { text: 'bold words', marks: { bold: {} } },
  { kind: 'task', text: 'five', indent: 1 },
  { node: 'hologram', text: 'of a newer app' },
  { kind: 'code', text: 'let x\n  = 1' },
  '',
  'the last line 😀',
];

const write = ({ editor: { state, view } }: OpenedPage, children: readonly Node[]) =>
  view.dispatch(state.tr.replaceWith(0, state.doc.content.size, children));

const elementsOf = (doc: Y.Doc) => bodyOf(doc).toArray();

test('whatever page takes the place of another, the document has it, and another person’s words in a block that stays', () => {
  const random = prng(11);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < 80; round++) {
    const { alice, bob, wire } = twoPeople(pageSeed(...LINES));
    const [a, b] = [openPage(alice), openPage(bob)];
    const { schema } = a.editor.state;
    wire.offline();
    // The block with Bob's words stays as it is, wherever the others go.
    const kept = [0, 3, 8][below(3)] ?? 0;
    let children: Node[] = [...a.editor.state.doc.children];
    const stays = children[kept];
    if (stays === undefined) throw new Error('no block');
    const mayGo = (node: Node | undefined) => node !== undefined && node !== stays && node.type.name !== 'unknown';
    for (let change = 0; change < 1 + below(5); change++) {
      const at = below(children.length);
      const node = children[at];
      const action = below(5);
      if (action === 0 && mayGo(node)) children = children.toSpliced(at, 1);
      else if (action === 1)
        children = children.toSpliced(at, 0, schema.node('block', {}, schema.text(`new ${change}`)));
      else if (action === 2 && node?.isTextblock === true && mayGo(node))
        children = children.with(at, node.copy(schema.node('block', {}, schema.text(`changed ${change}`)).content));
      else if (action === 3 && node?.isTextblock === true && mayGo(node))
        children = children.with(at, schema.node('block', { ...node.attrs, kind: 'bullet' }, node.content));
      else if (action === 4 && mayGo(node)) children = children.toSpliced(at, 1, schema.node('divider'));
    }
    write(a, children);
    b.caret(kept, 3);
    b.type('BBB');
    wire.online();
    expect(linesOf(alice), `round ${round}`).toEqual(linesOf(bob));
    expect(a.shown(), `round ${round}`).toEqual(b.shown());
    const [mine, theirs] = [wordsOf(alice), wordsOf(bob)];
    expect(mine).toEqual(theirs);
    expect(
      mine.some((words) => words?.includes('BBB')),
      `round ${round}: ${mine.join(' | ')}`,
    ).toBe(true);
    expect(nodesOf(alice).filter((name) => name === 'hologram')).toHaveLength(1);
    expect(mine).toContain('of a newer app');
    expect([a.detachCount(), b.detachCount()]).toEqual([0, 0]);
    a.close();
    b.close();
  }
});

test('one block that is moved in the editor leaves the elements of all others as they are', () => {
  for (const [from, to] of [
    [0, 3],
    [3, 0],
    [1, 2],
    [4, 1],
  ] as const) {
    const { alice } = twoPeople(pageSeed('a', 'b', 'c', 'd', 'e'));
    const page = openPage(alice);
    const before = elementsOf(alice.doc);
    const { children } = page.editor.state.doc;
    const moved = children[from];
    if (moved === undefined) throw new Error('no block');
    write(page, children.toSpliced(from, 1).toSpliced(to, 0, moved));
    const after = elementsOf(alice.doc);
    expect(after.filter((element) => before.includes(element))).toHaveLength(4);
    expect(
      linesOf(alice)
        .map((line) => line.slice(-1))
        .join(''),
    ).toBe([...'abcde'].toSpliced(from, 1).toSpliced(to, 0, 'abcde'.charAt(from)).join(''));
    page.close();
  }
});

test('a page that would have an unsupported block twice is not written, and the editor lets go of the document', () => {
  const { alice, bob } = twoPeople(
    pageSeed('a', { node: 'hologram', text: 'kept' }, { node: 'hologram', text: 'too' }, 'b'),
  );
  const page = openPage(alice);
  const { children } = page.editor.state.doc;
  const before = linesOf(bob);
  const [, first, second] = children;
  if (first === undefined || second === undefined) throw new Error('no block');
  write(page, children.toSpliced(1, 2, second, first));
  expect([linesOf(bob), linesOf(alice)]).toEqual([before, before]);
});

test('a line that is pushed down by an empty one keeps what another person types in it', () => {
  const { alice, bob, wire } = twoPeople(pageSeed('one', 'two'));
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  a.editor.view.dispatch(a.editor.state.tr.split(1));
  b.caret(0, 2);
  b.type('BBB');
  wire.online();
  expect(linesOf(alice)).toEqual(linesOf(bob));
  expect(wordsOf(alice)).toEqual(['', 'onBBBe', 'two']);
});

test('a row that is taken out in the editor leaves the cells of the others, and what is typed in them', () => {
  const { alice, bob, wire } = twoPeople(tableSeed(['a b', 'c d', 'e f']));
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  const table = a.editor.state.doc.children.find(({ type }) => type.name === 'table');
  if (table === undefined) throw new Error('no table');
  const shorter = table.copy(
    table.content.replaceChild(1, table.child(2)).cut(0, table.child(0).nodeSize + table.child(2).nodeSize),
  );
  write(
    a,
    a.editor.state.doc.children.map((node) => (node === table ? shorter : node)),
  );
  let at = 0;
  b.editor.state.doc.descendants((node, position) => {
    if (node.text === 'f') at = position;
  });
  b.editor.view.dispatch(b.editor.state.tr.insertText('BBB', at + 1));
  wire.online();
  expect(linesOf(alice)).toEqual(linesOf(bob));
  expect(linesOf(alice).find((line) => line.startsWith('table'))).toBe('table a\tb\ne\tfBBB');
});

test('an empty cell that is taken out in the editor is that one, although the next is as empty', () => {
  const { alice, bob, wire } = twoPeople(tableSeed(['- - -', 'd e f']));
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  const table = a.editor.state.doc.children.find(({ type }) => type.name === 'table');
  const row = table?.child(0);
  if (table === undefined || row === undefined) throw new Error('no table');
  const shorter = table.copy(table.content.replaceChild(0, row.cut(row.child(0).nodeSize)));
  write(
    a,
    a.editor.state.doc.children.map((node) => (node === table ? shorter : node)),
  );
  caretInCell(b, 0, 2);
  b.type('BBB');
  wire.online();
  expect(linesOf(alice)).toEqual(linesOf(bob));
  expect(linesOf(alice).find((line) => line.startsWith('table'))).toContain('BBB');
});

test('a mark that is taken away and one that is added are written where they are, and nothing else', () => {
  const { alice, bob, wire } = twoPeople(pageSeed({ text: 'bold words here', marks: { bold: {} } }));
  const [a, b] = [openPage(alice), openPage(bob)];
  wire.offline();
  const { schema, doc } = a.editor.state;
  const [bold, italic] = [schema.mark('bold'), schema.mark('italic')];
  write(a, [
    doc
      .child(0)
      .copy(
        schema.node('block', {}, [schema.text('bold '), schema.text('words', [italic]), schema.text(' here', [bold])])
          .content,
      ),
  ]);
  b.caret(0, 7);
  b.type('BBB');
  wire.online();
  expect(linesOf(alice)).toEqual(linesOf(bob));
  expect(wordsOf(alice)).toEqual(['bold woBBBrds here']);
});
