// The nodes of a table. Whether a cell is a header depends on its position, so `table-decorations.ts` marks header cells
// with a decoration.
import { Node } from '@tiptap/core';
import type { Node as PageNode } from '@tiptap/pm/model';
import type { Decoration, NodeView } from '@tiptap/pm/view';
import { parseTable } from 'weft-document/body/parse-body.ts';
import { CELL, ROW, TABLE } from 'weft-document/names.ts';
import { tableLayoutOf } from '../../ui/blocks/table-layout.ts';
import { guardNodeView } from './guard-node-view.ts';
import { storedAttribute } from './nodes.ts';
import { columnsOfNode } from './table-position.ts';

export const TableNode = Node.create({
  name: TABLE,
  content: `${ROW}*`,
  isolating: true,
  addAttributes: () => ({
    id: storedAttribute(null),
    headRow: storedAttribute(null),
    headColumn: storedAttribute(null),
  }),
  renderHTML: () => ['div', { class: 'block', 'data-kind': TABLE }, ['table', ['tbody', 0]]],
  addNodeView:
    () =>
    ({ node, view, getPos, decorations, innerDecorations }) =>
      guardedTableView(node, view, getPos, decorations, innerDecorations),
});

const guardedTableView = guardNodeView(tableView);

function tableView(node: PageNode): NodeView {
  const dom = document.createElement('div');
  dom.className = 'block';
  dom.dataset['kind'] = TABLE;
  const table = dom.appendChild(document.createElement('div')).appendChild(document.createElement('table'));
  table.parentElement?.setAttribute('class', 'table-scroll');
  const columns = table.appendChild(document.createElement('colgroup'));
  const contentDOM = table.appendChild(document.createElement('tbody'));
  let drawn = '';
  const draw = (now: PageNode) => {
    const { headRow, headColumn } = parseTable(now.attrs);
    const { widths } = columnsOfNode(now);
    const isUnseen = hasEmptyColumn(now, widths.length);
    const shape = JSON.stringify([headRow, headColumn, widths, isUnseen]);
    if (shape === drawn) return;
    drawn = shape;
    dom.dataset['headRow'] = String(headRow);
    dom.dataset['headColumn'] = String(headColumn);
    dom.toggleAttribute('data-empty-column', isUnseen);
    const layout = tableLayoutOf(widths);
    table.style.width = layout.width;
    columns.replaceChildren(
      ...layout.columns.map((width) => {
        const column = document.createElement('col');
        column.style.width = width;
        return column;
      }),
    );
  };
  draw(node);
  return {
    dom,
    contentDOM,
    update(now: PageNode) {
      if (now.type !== node.type) return false;
      draw(now);
      return true;
    },
    ignoreMutation: (mutation) => mutation.type !== 'selection' && !contentDOM.contains(mutation.target),
  };
}

/** Without words in a column nothing shows where it is, so the columns have lines. */
function hasEmptyColumn(table: PageNode, columns: number): boolean {
  const rows = table.children;
  for (let x = 0; x < columns; x++) {
    if (!rows.some((row) => (row.maybeChild(x)?.content.size ?? 0) > 0)) return true;
  }
  return false;
}

export const RowNode = Node.create({
  name: ROW,
  content: `${CELL}*`,
  addAttributes: () => ({ moved: storedAttribute(null) }),
  renderHTML: () => ['tr', 0],
});

/** The cells that a header labels, as in HTML's `scope`; null for a cell that is no header. */
export type HeaderScope = 'col' | 'row' | null;

export const CellNode = Node.create({
  name: CELL,
  content: 'text*',
  whitespace: 'pre',
  isolating: true,
  addAttributes: () => ({ width: storedAttribute(null), align: storedAttribute(null), moved: storedAttribute(null) }),
  renderHTML: () => ['td', { class: 'block-text', dir: 'auto' }, 0],
  addNodeView:
    () =>
    ({ node, decorations }) => {
      const scope = headerScopeOf(decorations);
      const dom = document.createElement(scope === null ? 'td' : 'th');
      if (scope !== null) dom.setAttribute('scope', scope);
      dom.className = 'block-text';
      dom.dir = 'auto';
      return {
        dom,
        contentDOM: dom,
        update: (now: PageNode, drawn: readonly Decoration[]) =>
          now.type === node.type && headerScopeOf(drawn) === scope,
      };
    },
});

function headerScopeOf(decorations: readonly Decoration[]): HeaderScope {
  for (const { spec } of decorations as readonly { readonly spec: unknown }[]) {
    const scope: unknown = typeof spec === 'object' && spec !== null && 'scope' in spec ? spec.scope : null;
    if (scope === 'col' || scope === 'row') return scope;
  }
  return null;
}
