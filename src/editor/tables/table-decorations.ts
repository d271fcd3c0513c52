// Decorations of tables: header cells, aligned cells, the cells that are selected or that an open menu acts on, and
// placeholders for cells that a short row lacks (T13 in docs/losses.md). Nothing here is written.
import { Extension } from '@tiptap/core';
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { parseTable } from 'weft-document/body/parse-body.ts';
import type { Rect } from 'weft-document/tables/table-grid.ts';
import { columnsOfNode, isTableNode } from '../schema/table-position.ts';
import { CellSelection, tableSelection } from './table-selection.ts';

type DecoratedTables = { readonly all: DecorationSet; readonly tables: ReadonlySet<Node> };

const NOTHING: DecoratedTables = { all: DecorationSet.empty, tables: new Set() };
const key = new PluginKey<DecoratedTables>('tableDecorations');
const tintKey = new PluginKey<DecorationSet>('tintedCells');

export const TableDecorations = Extension.create({
  name: 'tableDecorations',
  addProseMirrorPlugins: () => [
    new Plugin<DecoratedTables>({
      key,
      state: {
        init: (_config, { doc }) => decorateChanged(NOTHING, doc),
        apply: (transaction, before, _old, { doc }) =>
          transaction.docChanged ? decorateChanged(mapTables(before, transaction), doc) : before,
      },
      props: { decorations: (state) => key.getState(state)?.all ?? null },
      // Selecting text from one cell to another selects cells.
      appendTransaction(_transactions, _before, state) {
        const selection = tableSelection(state);
        return selection === null ? null : state.tr.setSelection(selection);
      },
    }),
    new Plugin({ props: { decorations: selectedCells } }),
    new Plugin<DecorationSet>({
      key: tintKey,
      state: {
        init: () => DecorationSet.empty,
        apply: (transaction, tinted, _old, { doc }) => {
          const cells: unknown = transaction.getMeta(tintKey);
          if (cells === undefined) return tinted.map(transaction.mapping, doc);
          return cells instanceof CellSelection ? decorateCells(doc, cells, 'cell-tinted') : DecorationSet.empty;
        },
      },
      props: { decorations: (state) => tintKey.getState(state) },
    }),
  ],
});

const mapTables = ({ all, tables }: DecoratedTables, { mapping, doc }: Transaction): DecoratedTables => ({
  all: all.map(mapping, doc),
  tables,
});

/** Tables that are still the same nodes keep their decorations. */
function decorateChanged(before: DecoratedTables, doc: Node): DecoratedTables {
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
  const { alignments } = columnsOfNode(table);
  const decorations: Decoration[] = [];
  table.forEach((row, offset, y) => {
    const start = at + 1 + offset;
    const isHead = headRow && y === 0;
    row.forEach((cell, within, x) => {
      const scope = isHead ? 'col' : headColumn && x === 0 ? 'row' : null;
      const align = alignments[x] ?? null;
      if (scope === null && align === null) return;
      const from = start + 1 + within;
      const attributes = align === null ? {} : { 'data-align': align };
      decorations.push(Decoration.node(from, from + cell.nodeSize, attributes, { scope }));
    });
    // Nothing is to be seen in a cell that is not there, so its alignment does not matter.
    for (let x = row.childCount; x < alignments.length; x++) {
      const spec = { side: x, key: `missing-${isHead ? 'head-' : ''}${x}`, ignoreSelection: true };
      decorations.push(Decoration.widget(start + row.nodeSize - 1, missingCell(isHead, x), spec));
    }
  });
  return decorations;
}

/** A cell that is not in the document yet. A click on it creates it (table-mouse.ts). */
function missingCell(isHead: boolean, column: number) {
  return () => {
    const cell = document.createElement(isHead ? 'th' : 'td');
    if (isHead) cell.setAttribute('scope', 'col');
    cell.className = 'block-text';
    cell.contentEditable = 'false';
    cell.dataset['missing'] = String(column);
    return cell;
  };
}

const selectedCells = ({ doc, selection }: EditorState): DecorationSet | null =>
  selection instanceof CellSelection ? decorateCells(doc, selection, 'cell-selected') : null;

const decorateCells = (doc: Node, { ranges, rect }: CellSelection, name: string): DecorationSet =>
  DecorationSet.create(
    doc,
    ranges.map(({ $from, $to }) =>
      Decoration.node($from.pos - 1, $to.pos + 1, { class: name, style: outerEdges($from, rect) }),
    ),
  );

/** One ring stands around all cells together: the edges that have a part of it, for the style sheet. */
function outerEdges($cell: ResolvedPos, { top, left, bottom, right }: Rect): string {
  const [row, column] = [$cell.index(1), $cell.index(2)];
  const edges = { top: row === top, bottom: row === bottom - 1, left: column === left, right: column === right - 1 };
  return Object.entries(edges)
    .map(([edge, isOuter]) => (isOuter ? `--${edge}: 2px;` : ''))
    .join('');
}

/** Tints the cells that an open menu acts on; null: none. */
export function tintCells(view: EditorView, cells: CellSelection | null): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(tintKey, cells));
}
