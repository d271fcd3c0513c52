// Tracks the cell that the table tools belong to and its position on the screen: the cell under the pointer, or else
// the cell with the caret. Runs outside React and publishes plain values.
import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Alignment } from 'weft-document/blocks/block.ts';
import { parseTable } from 'weft-document/body/parse-body.ts';
import type { Rect } from 'weft-document/tables/table-grid.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { runAfterDraws } from '../binding/frame-batch.ts';
import { cellAround, columnCount, columnsOfNode } from '../schema/table-position.ts';
import { type TableTarget, tableTarget } from './table-commands.ts';
import { cellOf } from './table-mouse.ts';

type Span = { readonly from: number; readonly size: number };
export type TableToolsPosition = {
  /** The cell's indexes. */
  readonly rowIndex: number;
  readonly columnIndex: number;
  /** The selected cells, if the cell is one of them; otherwise the cell. */
  readonly rect: Rect;
  readonly rows: number;
  readonly columns: number;
  readonly headRow: boolean;
  readonly headColumn: boolean;
  /** The alignment of the cell's column. */
  readonly alignment: Alignment | null;
  /** In px from the corner of the editor element: the visible parts of the table, the row and the column. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly row: Span;
  readonly column: Span;
};

export interface TableTracker {
  /** Returns the same object until something in it changes; most keys in a cell change nothing. */
  readonly get: () => TableToolsPosition | null;
  /** The cell that a command applies to, in the current state of the page. */
  readonly target: () => TableTarget | null;
  readonly subscribe: (run: () => void) => () => void;
}

/** One tracker per editor. */
export const tableTracker = onePer(createTracker);

function createTracker(editor: Editor): TableTracker {
  const changes = new Subscribable();
  /** The position before the cell under the pointer. */
  let pointed: number | null = null;
  let position: TableToolsPosition | null = null;
  let cancel: Cancel | null = null;

  const update = () => {
    cancel = null;
    // The tools stay in place while one of their menus is open.
    if (document.querySelector('.table-tools [data-popup-open], .table-tools [data-dragging]') !== null) return;
    const next = editor.isDestroyed || !editor.isEditable ? null : positionOf(editor.view, pointed);
    if (JSON.stringify(next) === JSON.stringify(position)) return;
    position = next;
    changes.notify();
  };
  const updateSoon = () => {
    cancel ??= runAfterDraws(update);
  };
  const onTransaction = ({ transaction }: { transaction: Transaction }) => {
    if (pointed !== null) pointed = transaction.mapping.map(pointed);
    if (transaction.docChanged || transaction.selectionSet) updateSoon();
  };
  const onPoint = ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element) || editor.isDestroyed) return;
    if (target.closest('.table-tools, .menu') !== null) return;
    const cell = cellOf(editor.view, target);
    if (cell?.at === pointed) return;
    pointed = cell?.at ?? null;
    updateSoon();
  };
  const start = () => {
    editor.on('transaction', onTransaction);
    editor.on('focus', updateSoon);
    editor.on('blur', updateSoon);
    document.addEventListener('pointermove', onPoint, { passive: true });
    // On the document: React may subscribe again while no view is mounted (StrictMode, rebuilds).
    document.addEventListener('scroll', updateSoon, { capture: true, passive: true });
    addEventListener('resize', updateSoon);
    updateSoon();
  };
  const stop = () => {
    cancel?.();
    cancel = null;
    editor.off('transaction', onTransaction);
    editor.off('focus', updateSoon);
    editor.off('blur', updateSoon);
    document.removeEventListener('pointermove', onPoint);
    document.removeEventListener('scroll', updateSoon, true);
    removeEventListener('resize', updateSoon);
  };
  return {
    get: () => position,
    target: () => targetOf(editor.view, pointed),
    subscribe(run) {
      if (changes.size === 0) start();
      const unsubscribe = changes.subscribe(run);
      return () => {
        unsubscribe();
        if (changes.size === 0) stop();
      };
    },
  };
}

const targetOf = (view: EditorView, pointed: number | null): TableTarget | null =>
  (pointed === null ? null : targetAt(view, pointed)) ?? caretTarget(view);

function positionOf(view: EditorView, pointed: number | null): TableToolsPosition | null {
  const target = targetOf(view, pointed);
  if (target === null) return null;
  const block = view.nodeDOM(target.table.at);
  if (!(block instanceof HTMLElement)) return null;
  const scroll = block.querySelector('.table-scroll');
  const row = block.querySelectorAll('tr')[target.row];
  const cell = row?.children[target.column];
  if (scroll === null || row === undefined || cell === undefined) return null;
  const frame = view.dom.getBoundingClientRect();
  const [all, line, one] = [scroll, row, cell].map((element) => element.getBoundingClientRect());
  if (all === undefined || line === undefined || one === undefined) return null;
  const left = Math.max(one.left, all.left);
  const right = Math.min(one.right, all.right);
  return {
    rowIndex: target.row,
    columnIndex: target.column,
    rect: target.rect,
    rows: target.table.node.childCount,
    columns: columnCount(target.table.node),
    ...parseTable(target.table.node.attrs),
    alignment: columnsOfNode(target.table.node).alignments[target.column] ?? null,
    box: { left: all.left - frame.left, top: all.top - frame.top, width: all.width, height: all.height },
    row: { from: line.top - frame.top, size: line.height },
    column: { from: left - frame.left, size: right - left },
  };
}

function caretTarget(view: EditorView): TableTarget | null {
  const isActive = view.hasFocus() || document.activeElement?.closest('.table-tools, .menu') != null;
  return isActive ? tableTarget(view.state.selection) : null;
}

/** If the cell is part of the selection, commands apply to all selected cells. */
function targetAt(view: EditorView, at: number): TableTarget | null {
  const { doc, selection } = view.state;
  const cell = at < doc.content.size ? cellAround(doc.resolve(at)) : null;
  if (cell === null) return null;
  const { table, row, column } = cell;
  const selected = tableTarget(selection);
  const isAmong =
    selected !== null &&
    selected.table.at === table.at &&
    row >= selected.rect.top &&
    row < selected.rect.bottom &&
    column >= selected.rect.left &&
    column < selected.rect.right;
  const rect = isAmong ? selected.rect : { top: row, left: column, bottom: row + 1, right: column + 1 };
  return { table, row, column, rect };
}
