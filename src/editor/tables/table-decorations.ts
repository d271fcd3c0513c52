// What is drawn of a table beside its nodes: which cells are heads, which are selected, and cells that a short row
// lacks (T13). View only: nothing here is ever written.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { parseTable } from '../../document/body/parse-body.ts';
import { columnCount, isTableNode } from '../schema/table-position.ts';
import { CellSelection, tableSelection } from './table-selection.ts';

type Drawn = { readonly all: DecorationSet; readonly tables: ReadonlySet<Node> };

const NOTHING: Drawn = { all: DecorationSet.empty, tables: new Set() };
const key = new PluginKey<Drawn>('tableDrawing');

export const TableDrawing = Extension.create({
  name: 'tableDrawing',
  addProseMirrorPlugins: () => [
    new Plugin<Drawn>({
      key,
      state: {
        init: (_config, { doc }) => drawn(NOTHING, doc),
        apply: (transaction, before, _old, { doc }) =>
          transaction.docChanged ? drawn(moved(before, transaction), doc) : before,
      },
      props: { decorations: (state) => key.getState(state)?.all ?? null },
      // Selecting from cell to cell selects cells.
      appendTransaction(_transactions, _before, state) {
        const selection = tableSelection(state);
        return selection === null ? null : state.tr.setSelection(selection);
      },
    }),
    new Plugin({ props: { decorations: selectedCells } }),
  ],
});

const moved = ({ all, tables }: Drawn, { mapping, doc }: Transaction): Drawn => ({
  all: all.map(mapping, doc),
  tables,
});

/** Of tables that are the very nodes of before, everything stays. */
function drawn(before: Drawn, doc: Node): Drawn {
  let { all } = before;
  const tables = new Set<Node>();
  doc.forEach((node, at) => {
    if (!isTableNode(node)) return;
    tables.add(node);
    if (before.tables.has(node)) return;
    all = all.remove(all.find(at, at + node.nodeSize)).add(doc, decorate(node, at));
  });
  if (tables.size === 0) return NOTHING;
  return { all, tables };
}

function decorate(table: Node, at: number): Decoration[] {
  const { headRow, headColumn } = parseTable(table.attrs);
  const columns = columnCount(table);
  const made: Decoration[] = [];
  table.forEach((row, offset, y) => {
    const start = at + 1 + offset;
    const isHead = headRow && y === 0;
    if (isHead || headColumn) {
      row.forEach((cell, within, x) => {
        if (!isHead && x > 0) return;
        const from = start + 1 + within;
        made.push(Decoration.node(from, from + cell.nodeSize, {}, { head: isHead ? 'col' : 'row' }));
      });
    }
    for (let x = row.childCount; x < columns; x++) {
      const spec = { side: x, key: `lacking-${isHead ? 'head-' : ''}${x}`, ignoreSelection: true };
      made.push(Decoration.widget(start + row.nodeSize - 1, lackingCell(isHead, x), spec));
    }
  });
  return made;
}

/** A cell that is in nobody's document yet; pressed, it is made (table-mouse.ts). */
function lackingCell(isHead: boolean, column: number) {
  return () => {
    const cell = document.createElement(isHead ? 'th' : 'td');
    if (isHead) cell.setAttribute('scope', 'col');
    cell.className = 'block-text';
    cell.contentEditable = 'false';
    cell.dataset['lacking'] = String(column);
    return cell;
  };
}

function selectedCells({ doc, selection }: EditorState): DecorationSet | null {
  if (!(selection instanceof CellSelection)) return null;
  return DecorationSet.create(
    doc,
    selection.ranges.map(({ $from, $to }) => Decoration.node($from.pos - 1, $to.pos + 1, { class: 'cell-selected' })),
  );
}
