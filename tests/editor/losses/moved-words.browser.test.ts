// T1, T2, T3, T6: text typed where someone turns, moves or joins a block.
import { Node } from '@tiptap/core';
import { bindingOf } from '../../../src/editor/binding/binding-of.ts';
import { turnInto } from '../../../src/editor/blocks/block-commands.ts';
import { moveTo } from '../../../src/editor/blocks/move-selected-blocks.ts';
import { eraseBackward } from '../../../src/editor/blocks/writing-commands.ts';
import { type OpenEditor, productEditor, without, withExtensions } from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import { type OpenedPage, wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { twoPeople, wordsOf } from '../../support/editor/two-people.ts';

/** A common schema of editors: the kind of a block is its node’s name. */
const named = withExtensions((all) => [
  Node.create({ name: 'doc', topNode: true, content: '(block|heading)*' }),
  Node.create({ name: 'text' }),
  Node.create({ name: 'block', content: 'text*', renderHTML: () => ['p', 0] }),
  Node.create({ name: 'heading', content: 'text*', renderHTML: () => ['h2', 0] }),
  ...all.filter(({ name }) => name === 'sharedPage'),
]);

type Turning = { readonly openEditor: OpenEditor; readonly turn: (page: OpenedPage) => unknown };

loss('T1', 'text typed in a block that another turns into a heading stays', {
  on: {
    openEditor: productEditor,
    turn: ({ editor: { state, view } }) => turnInto({ kind: 'heading', level: 2 })(state, view.dispatch, view),
  },
  off: { openEditor: named, turn: ({ editor }) => editor.commands.setNode('heading') },
  scenario: ({ openEditor, turn }: Turning) => {
    const { alice, bob, wire } = twoPeople(pageSeed('hello world again', 'second'));
    const [a, b] = [openEditor(alice), openEditor(bob)];
    wire.offline();
    a.caret(0, 0);
    turn(a);
    b.caret(0, 6);
    b.type('BBB ');
    wire.online();
    return [wordsOf(alice), wordsOf(bob)];
  },
  kept: [
    ['hello BBB world again', 'second'],
    ['hello BBB world again', 'second'],
  ],
  lost: [
    ['hello world again', 'second'],
    ['hello world again', 'second'],
  ],
});

/** The second block is the lightest, so a move rewrites that one and not its neighbours. */
const HEAVY = pageSeed('first of many words, heavy', 'second block', 'third of many words, heavy');

loss('T2', 'text typed in a block that another moves moves with it', {
  on: productEditor,
  off: without('recoveredText'),
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob, wire } = twoPeople(HEAVY);
    const [a, b] = [openEditor(alice), openEditor(bob)];
    wire.offline();
    moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
    b.caret(1, 6);
    b.type(' BBB');
    wire.online();
    await wait(10);
    return [wordsOf(alice)[0], wordsOf(bob)[0]];
  },
  kept: ['second BBB block', 'second BBB block'],
  lost: ['second block', 'second block'],
});

loss('T2', 'two people who move one block at once leave one', {
  on: productEditor,
  off: without('recoveredText'),
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob, wire } = twoPeople(HEAVY);
    const [a, b] = [openEditor(alice), openEditor(bob)];
    wire.offline();
    moveTo(a.editor.view, a.undo, { from: 1, to: 2 }, 0);
    moveTo(b.editor.view, b.undo, { from: 1, to: 2 }, 3);
    wire.online();
    await wait(10);
    return [alice, bob].map((one) => wordsOf(one).filter((words) => words === 'second block').length);
  },
  kept: [1, 1],
  lost: [2, 2],
});

loss('T3', 'text typed in a block that another joins to the one before comes with it', {
  on: productEditor,
  off: without('recoveredText'),
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob, wire } = twoPeople(pageSeed('first ', 'second block', 'third'));
    const [a, b] = [openEditor(alice), openEditor(bob)];
    wire.offline();
    a.caret(1, 0);
    eraseBackward(a.editor.state, a.editor.view.dispatch, a.editor.view);
    b.caret(1, 7);
    b.type('BBB ');
    wire.online();
    await wait(10);
    return [wordsOf(alice), wordsOf(bob)];
  },
  kept: [
    ['first second BBB block', 'third'],
    ['first second BBB block', 'third'],
  ],
  lost: [
    ['first second block', 'third'],
    ['first second block', 'third'],
  ],
});

/** Moves the last block to the front like an editor that does not know which node stands for which element. */
function moveLastInEditor({ editor: { state, view } }: OpenedPage): void {
  const { lastChild } = state.doc;
  if (lastChild === null) return;
  bindingOf(state)?.nodes.clear();
  const { size } = state.doc.content;
  view.dispatch(state.tr.delete(size - lastChild.nodeSize, size).insert(0, lastChild));
}

loss('T6', 'someone who types in a block while another moves blocks past it continues in that block', {
  on: (page) => moveTo(page.editor.view, page.undo, { from: 2, to: 3 }, 0),
  off: moveLastInEditor,
  scenario: async (move: (page: OpenedPage) => unknown) => {
    const { alice, bob, wire } = twoPeople(pageSeed('one', 'two', 'three'));
    const [a, b] = [productEditor(alice), productEditor(bob)];
    wire.offline();
    move(a);
    b.caret(0, -1);
    b.type(' BBB');
    wire.online();
    await wait(10);
    return [wordsOf(alice), wordsOf(bob)].map((words) => words.includes('one BBB'));
  },
  kept: [true, true],
  lost: [false, false],
});
