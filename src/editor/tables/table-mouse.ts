// The pointer in tables: dragging from cell to cell selects cells, so does a click with Shift, and a click on a missing
// cell creates it.
import { Extension } from '@tiptap/core';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { cellAt } from 'weft-document/tables/table-grid.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { type PlacedCell, cellAround, cellPosition, tableAround } from '../schema/table-position.ts';
import { changeTable } from './table-commands.ts';
import { CellSelection } from './table-selection.ts';

export const tableMouse = (context: EditContext) =>
  Extension.create({
    name: 'tableMouse',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: { handleDOMEvents: { mousedown: (view, event) => onMouseDown(view, event, context) } },
      }),
    ],
  });

function onMouseDown(view: EditorView, event: MouseEvent, context: EditContext): boolean {
  if (event.button !== 0 || !(event.target instanceof Element)) return false;
  const missingCell = event.target.closest('[data-missing]');
  if (missingCell instanceof HTMLElement) return createCell(view, event, context, missingCell);
  const start = cellOf(view, event.target);
  if (start === null) return false;
  if (event.shiftKey) {
    const { selection } = view.state;
    const anchor = cellAround(selection instanceof CellSelection ? selection.$anchorCell : selection.$anchor);
    if (anchor === null || anchor.at === start.at || anchor.table.at !== start.table.at) return false;
    select(view, anchor.at, start.at);
    event.preventDefault();
    return true;
  }
  selectWhileDragging(view, start);
  return false;
}

/** Runs until the button is released. Within one cell the browser selects text as usual. */
function selectWhileDragging(view: EditorView, start: PlacedCell): void {
  const { table, row, column } = start;
  let last: number | null = null;
  const move = (event: MouseEvent) => {
    if (event.buttons === 0) return stop();
    const over = event.target instanceof Element ? cellOf(view, event.target) : null;
    if (over === null || over.table.index !== table.index) return;
    // Others may have edited meanwhile, so the first cell is found by row and column.
    const from = cellPosition(over.table, row, column);
    if (from === null || (last === null && over.at === from)) return;
    event.preventDefault();
    if (last === over.at) return;
    last = over.at;
    select(view, from, over.at);
  };
  const stop = () => {
    document.removeEventListener('mousemove', move, true);
    document.removeEventListener('mouseup', stop, true);
  };
  document.addEventListener('mousemove', move, true);
  document.addEventListener('mouseup', stop, true);
}

const select = (view: EditorView, from: number, to: number) =>
  view.dispatch(view.state.tr.setSelection(CellSelection.between(view.state.doc, from, to)));

/** The cell around an element of the text; null for a missing cell, and outside of tables. */
export function cellOf(view: EditorView, target: Element): PlacedCell | null {
  const element = target.closest('td, th');
  if (element === null || !view.dom.contains(element) || element.hasAttribute('data-missing')) return null;
  return cellAround(view.state.doc.resolve(view.posAtDOM(element, 0)));
}

function createCell(view: EditorView, event: MouseEvent, context: EditContext, missingCell: HTMLElement): boolean {
  event.preventDefault();
  const row = missingCell.closest('tr');
  const table = row === null ? null : tableAround(view.state.doc.resolve(view.posAtDOM(row, 0)));
  if (row === null || table === null || !view.editable) return true;
  const y = view.state.doc.resolve(view.posAtDOM(row, 0)).index(1);
  const x = Number(missingCell.dataset['missing']);
  if (!changeTable(view, context, table, (one) => void cellAt(one, y, x))) return true;
  const now = tableAround(view.state.doc.resolve(table.at));
  const at = now === null ? null : cellPosition(now, y, x);
  if (at !== null) view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at + 1)));
  view.focus();
  return true;
}
