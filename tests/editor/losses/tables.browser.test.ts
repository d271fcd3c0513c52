// T13: a row and a column added to one table at once.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { insertLines, tableTarget } from '../../../src/editor/tables/table-commands.ts';
import { type OpenEditor, productEditor, withExtensions } from '../../support/editor/editor-variants.ts';
import { loss } from '../../support/editor/guarded.ts';
import { type OpenedPage, wait } from '../../support/editor/opened-page.ts';
import { caretInCell, contextOf, gridOf, tableSeed } from '../../support/editor/tables.ts';
import { twoPeople } from '../../support/editor/two-people.ts';

function insert(page: OpenedPage, row: number, column: number, line: 'row' | 'column', at: number): void {
  caretInCell(page, row, column);
  const target = tableTarget(page.editor.state.selection);
  if (target !== null) insertLines(page.editor.view, contextOf(page), target, line, at);
}

/** Does what table editors do: every editor that sees a row with too few cells adds the missing ones. */
const repairing = withExtensions((all) => [
  ...all,
  Extension.create({
    name: 'tableRepair',
    addProseMirrorPlugins: () => [new Plugin({ view: () => ({ update: (view) => void setTimeout(repair, 0, view) }) })],
  }),
]);

function repair(view: EditorView): void {
  if (view.isDestroyed) return;
  const { state } = view;
  let columns = 0;
  state.doc.descendants((node) => {
    if (node.type.name === 'tableRow') columns = Math.max(columns, node.childCount);
  });
  const transaction = state.tr;
  state.doc.descendants((node: Node, at) => {
    if (node.type.name !== 'tableRow' || node.childCount >= columns) return;
    transaction.insert(transaction.mapping.map(at + node.nodeSize - 1), state.schema.node('tableCell'));
  });
  if (transaction.docChanged) view.dispatch(transaction);
}

loss('T13', 'a row that lacks a cell because a column was added at the same time is not repaired automatically', {
  on: productEditor,
  off: repairing,
  scenario: async (openEditor: OpenEditor) => {
    const { alice, bob, wire } = twoPeople(tableSeed(['n a', 'x 1']));
    const [a, b] = [openEditor(alice), openEditor(bob)];
    wire.offline();
    insert(a, 1, 0, 'row', 2);
    insert(b, 0, 1, 'column', 2);
    wire.online();
    // Each sees it before it receives the other’s repair.
    wire.offline();
    await wait(30);
    wire.online();
    await wait(30);
    const widths = (rows: readonly string[]) => rows.map((row) => row.split(' ').length);
    return { alice: widths(gridOf(alice)).at(-1), bob: widths(gridOf(bob)).at(-1) };
  },
  // Everyone draws three (tables.browser.test.ts); four would make a new column.
  kept: { alice: 2, bob: 2 },
  lost: { alice: 4, bob: 4 },
});
