// T4, T5, T8, T9: what an editor writes only because it opens a page.
import { Extension, type Extensions } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { bodyOf } from 'weft-document/names.ts';
import { deleteRows, isTable } from 'weft-document/tables/table-grid.ts';
import {
  type OpenEditor,
  productEditor,
  leaveOut,
  withExtensions,
  withTiptapBinding,
} from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import { wait } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, connect, pageSession } from '../../support/editor/page-session.ts';
import { tableSeed } from '../../support/editor/tables.ts';
import { nodesOf, twoPeople, wordsOf } from '../../support/editor/two-people.ts';

loss('T4', 'a reader whose app does not know a node leaves it for everyone', {
  on: productEditor,
  off: withTiptapBinding(),
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob } = twoPeople(pageSeed('a', { node: 'hologram', text: 'kept' }, 'b'));
    openEditor(alice, false);
    await wait(20);
    return [nodesOf(alice), nodesOf(bob)];
  },
  kept: [
    ['block', 'hologram', 'block'],
    ['block', 'hologram', 'block'],
  ],
  lost: [
    ['block', 'block'],
    ['block', 'block'],
  ],
});

/** A table must have rows, rows must have cells, and Tiptap’s binding deletes what cannot be. */
const strict = withTiptapBinding((all) =>
  all.map((one) => {
    if (one.name === 'table' && one.type === 'node') return one.extend({ content: 'tableRow+' });
    return one.name === 'tableRow' && one.type === 'node' ? one.extend({ content: 'tableCell+' }) : one;
  }),
);

/** As the command of the app does, in the document. */
function deleteRow({ doc }: PageSession, row: number): void {
  const table = bodyOf(doc)
    .toArray()
    .find((node) => isTable(node));
  if (isTable(table)) deleteRows(table, row, row + 1);
}

loss('T5', 'two valid edits that together leave a table without a row keep the table', {
  on: productEditor,
  off: strict,
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob, wire } = twoPeople(tableSeed(['a b', 'c d']));
    openEditor(alice);
    openEditor(bob);
    wire.offline();
    deleteRow(alice, 0);
    deleteRow(bob, 1);
    wire.online();
    await wait(20);
    return [nodesOf(alice), nodesOf(bob)];
  },
  kept: [
    ['block', 'table', 'block'],
    ['block', 'table', 'block'],
  ],
  lost: [
    ['block', 'block'],
    ['block', 'block'],
  ],
});

/** The rule of many editors that a page must end in a paragraph. */
const TrailingNode = Extension.create({
  name: 'trailingNode',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (_transactions, _before, { doc, tr, schema }) =>
        doc.lastChild?.type.name === 'divider' ? tr.insert(doc.content.size, schema.node('block')) : null,
    }),
  ],
});

const repairing = (all: Extensions): Extensions => [...all, TrailingNode];

type Reading = { readonly writer: OpenEditor; readonly reader: OpenEditor };

loss('T8', 'opening and closing a page writes nothing, not even what a plugin would repair in a read-only page', {
  on: { writer: productEditor, reader: withExtensions(repairing) },
  off: {
    writer: withExtensions(repairing),
    reader: withExtensions((all) => repairing(leaveOut(all, ['pageBehaviour']))),
  },
  scenario: async ({ writer, reader }: Reading) => {
    const sessions = [1, 2, 3].map(() => pageSession(pageSeed('a', { node: 'divider' })));
    const wire = connect(...sessions);
    wire.offline();
    for (const [at, session] of sessions.entries()) {
      const page = at === 2 ? reader(session, false) : writer(session);
      page.editor.commands.focus('start');
      page.editor.commands.focus('end');
      await wait(20);
      page.close();
    }
    wire.online();
    return sessions.map((session) => nodesOf(session).length);
  },
  kept: [2, 2, 2],
  lost: [5, 5, 5],
});

/** Every editor that opens a page inserts its initial content. */
const beginning = withExtensions((all) => [
  ...all,
  Extension.create({
    name: 'beginning',
    onCreate() {
      this.editor.commands.insertContent('hello');
    },
  }),
]);

loss('T9', 'the initial content of a page is there once, however many people open it', {
  on: { openEditor: productEditor, seed: pageSeed('hello') },
  off: { openEditor: beginning, seed: pageSeed('') },
  scenario: async ({ openEditor, seed }: { readonly openEditor: OpenEditor; readonly seed: Uint8Array }) => {
    const sessions = [1, 2, 3].map(() => pageSession(seed));
    const wire = connect(...sessions);
    wire.offline();
    for (const session of sessions) openEditor(session);
    await wait(50);
    wire.online();
    return sessions.map(wordsOf);
  },
  kept: [['hello'], ['hello'], ['hello']],
  lost: [['hellohellohello'], ['hellohellohello'], ['hellohellohello']],
});
