// Which cell of a table the tools stand at, and where on the screen: the one pointed at, else the one with the caret.
// Imperative and outside React; what it tells is plain values.
import type { Editor } from '@tiptap/core';
import type { EditorView } from '@tiptap/pm/view';
import type { Transaction } from '@tiptap/pm/state';
import { parseTable } from '../../document/body/parse-body.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { runAfterDraws } from '../binding/frame-batch.ts';
import { type TableSpot, tableSpot } from './table-commands.ts';
import { cellOf } from './table-mouse.ts';
import { cellAround } from '../schema/table-position.ts';

type Span = { readonly from: number; readonly size: number };
export type TablePlace = {
  /** Of the cell. */
  readonly rowIndex: number;
  readonly columnIndex: number;
  /** What is done is done to several. */
  readonly isManyRows: boolean;
  readonly isManyColumns: boolean;
  readonly headRow: boolean;
  readonly headColumn: boolean;
  /** In px from the corner of the editor's element: what is to be seen of the table, its row and its column. */
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly row: Span;
  readonly column: Span;
};

export interface TableTracker {
  /** The same object until something in it changed: keys in a cell mostly change nothing. */
  readonly get: () => TablePlace | null;
  /** What is to be done is done here, as the page is at this moment. */
  readonly spot: () => TableSpot | null;
  readonly subscribe: (run: () => void) => () => void;
}

const trackers = new WeakMap<Editor, TableTracker>();

/** One for each editor. */
export function tableTracker(editor: Editor): TableTracker {
  const known = trackers.get(editor);
  if (known !== undefined) return known;
  const made = makeTracker(editor);
  trackers.set(editor, made);
  return made;
}

function makeTracker(editor: Editor): TableTracker {
  const watchers = new Set<() => void>();
  /** The position before the cell pointed at. */
  let pointed: number | null = null;
  let place: TablePlace | null = null;
  let cancel: Cancel | null = null;

  const look = () => {
    cancel = null;
    // While one of its menus is open the tools stay where they are.
    if (document.querySelector('.table-tools [data-popup-open], .table-tools [data-dragging]') !== null) return;
    const next = editor.isDestroyed || !editor.isEditable ? null : placeOf(editor.view, pointed);
    if (JSON.stringify(next) === JSON.stringify(place)) return;
    place = next;
    for (const run of watchers) run();
  };
  const lookSoon = () => {
    cancel ??= runAfterDraws(look);
  };
  const onTransaction = ({ transaction }: { transaction: Transaction }) => {
    if (pointed !== null) pointed = transaction.mapping.map(pointed);
    if (transaction.docChanged || transaction.selectionSet) lookSoon();
  };
  const onPoint = ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element) || editor.isDestroyed) return;
    if (target.closest('.table-tools, .menu') !== null) return;
    const cell = cellOf(editor.view, target);
    if (cell?.at === pointed) return;
    pointed = cell?.at ?? null;
    lookSoon();
  };
  const start = () => {
    editor.on('transaction', onTransaction);
    editor.on('focus', lookSoon);
    editor.on('blur', lookSoon);
    document.addEventListener('pointermove', onPoint, { passive: true });
    editor.view.dom.addEventListener('scroll', lookSoon, true);
    addEventListener('resize', lookSoon);
    lookSoon();
  };
  const stop = () => {
    cancel?.();
    cancel = null;
    editor.off('transaction', onTransaction);
    editor.off('focus', lookSoon);
    editor.off('blur', lookSoon);
    document.removeEventListener('pointermove', onPoint);
    if (!editor.isDestroyed) editor.view.dom.removeEventListener('scroll', lookSoon, true);
    removeEventListener('resize', lookSoon);
  };
  return {
    get: () => place,
    spot: () => spotOf(editor.view, pointed),
    subscribe(run) {
      if (watchers.size === 0) start();
      watchers.add(run);
      return () => {
        watchers.delete(run);
        if (watchers.size === 0) stop();
      };
    },
  };
}

const spotOf = (view: EditorView, pointed: number | null): TableSpot | null =>
  (pointed === null ? null : spotAt(view, pointed)) ?? ownSpot(view);

function placeOf(view: EditorView, pointed: number | null): TablePlace | null {
  const spot = spotOf(view, pointed);
  if (spot === null) return null;
  const block = view.nodeDOM(spot.table.at);
  if (!(block instanceof HTMLElement)) return null;
  const scroll = block.querySelector('.table-scroll');
  const row = block.querySelectorAll('tr')[spot.row];
  const cell = row?.children[spot.column];
  if (scroll === null || row === undefined || cell === undefined) return null;
  const frame = view.dom.getBoundingClientRect();
  const [all, line, one] = [scroll, row, cell].map((element) => element.getBoundingClientRect());
  if (all === undefined || line === undefined || one === undefined) return null;
  const left = Math.max(one.left, all.left);
  const right = Math.min(one.right, all.right);
  return {
    rowIndex: spot.row,
    columnIndex: spot.column,
    isManyRows: spot.rect.bottom - spot.rect.top > 1,
    isManyColumns: spot.rect.right - spot.rect.left > 1,
    ...parseTable(spot.table.node.attrs),
    box: { left: all.left - frame.left, top: all.top - frame.top, width: all.width, height: all.height },
    row: { from: line.top - frame.top, size: line.height },
    column: { from: left - frame.left, size: right - left },
  };
}

function ownSpot(view: EditorView): TableSpot | null {
  const isAtWork = view.hasFocus() || document.activeElement?.closest('.table-tools, .menu') != null;
  return isAtWork ? tableSpot(view.state.selection) : null;
}

/** With the selection's cells where the one pointed at is among them: what is done is done to all of them. */
function spotAt(view: EditorView, at: number): TableSpot | null {
  const { doc, selection } = view.state;
  const cell = at < doc.content.size ? cellAround(doc.resolve(at)) : null;
  if (cell === null) return null;
  const { table, row, column } = cell;
  const own = tableSpot(selection);
  const isAmong =
    own !== null &&
    own.table.at === table.at &&
    row >= own.rect.top &&
    row < own.rect.bottom &&
    column >= own.rect.left &&
    column < own.rect.right;
  const rect = isAmong ? own.rect : { top: row, left: column, bottom: row + 1, right: column + 1 };
  return { table, row, column, rect };
}
