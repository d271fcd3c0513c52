// Keys in tables: from cell to cell, rows that grow by writing, rectangles by Shift. Goes before the keys of blocks.
import { Extension } from '@tiptap/core';
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK } from '../../document/names.ts';
import { asOneStep } from '../../document/undo.ts';
import { blockAt } from '../schema/block-at.ts';
import {
  type TableHost,
  type TableSpot,
  clearLine,
  deleteTable,
  insertLines,
  moveLine,
  selectLine,
  tableSpot,
} from './table-commands.ts';
import { tableFromMarkdown } from './table-insert.ts';
import { cellAround, cellPosition, columnCount, isTableNode } from '../schema/table-position.ts';
import { CellSelection, wholeTable } from './table-selection.ts';

type Key = (view: EditorView, spot: TableSpot) => boolean;

/** `uiCommands` hears `table-menu` when a person asks for what can be done here. */
export const tableKeys = (host: TableHost, uiCommands: EventTarget) =>
  Extension.create({
    name: 'tableKeys',
    // Before those of blocks: in a cell, Ctrl / and Alt Shift with the arrows mean its row.
    priority: 650,
    addKeyboardShortcuts() {
      // As everywhere in the page: Escape, then Tab leaves the text.
      let tabLeaves = false;
      this.editor.on('transaction', () => {
        tabLeaves = false;
      });
      const inTable = (key: Key) => () => {
        const { view } = this.editor;
        const spot = tableSpot(view.state.selection);
        return spot !== null && key(view, spot);
      };
      const writing = (key: Key) => inTable((view, spot) => view.editable && key(view, spot));
      const tab = (by: 1 | -1) => writing((view, spot) => !tabLeaves && goOn(view, host, spot, by));
      return {
        Tab: tab(1),
        'Shift-Tab': tab(-1),
        Enter: () => {
          const { view } = this.editor;
          if (view.editable && tableFromMarkdown(view.state)) {
            asOneStep(host.undo, () => tableFromMarkdown(view.state, view.dispatch));
            return true;
          }
          return writing((_view, spot) => nextRow(view, host, spot))();
        },
        'Shift-Enter': writing((view) => {
          view.dispatch(view.state.tr.insertText('\n').scrollIntoView());
          return true;
        }),
        'Mod-Enter': writing((view, spot) => leave(view, spot, 1)),
        'Mod-Shift-Enter': writing((view, spot) => leave(view, spot, -1)),
        ArrowLeft: inTable((view, spot) => sideways(view, spot, -1)),
        ArrowRight: inTable((view, spot) => sideways(view, spot, 1)),
        ArrowUp: inTable((view, spot) => upright(view, spot, -1)),
        ArrowDown: inTable((view, spot) => upright(view, spot, 1)),
        'Shift-ArrowLeft': inTable((view, spot) => extend(view, spot, 'left', 0, -1)),
        'Shift-ArrowRight': inTable((view, spot) => extend(view, spot, 'right', 0, 1)),
        'Shift-ArrowUp': inTable((view, spot) => extend(view, spot, 'up', -1, 0)),
        'Shift-ArrowDown': inTable((view, spot) => extend(view, spot, 'down', 1, 0)),
        'Alt-Shift-ArrowUp': writing((view, spot) => moveLine(view, host, spot, 'row', -1) || true),
        'Alt-Shift-ArrowDown': writing((view, spot) => moveLine(view, host, spot, 'row', 1) || true),
        'Alt-Shift-ArrowLeft': writing((view, spot) => moveLine(view, host, spot, 'column', -1) || true),
        'Alt-Shift-ArrowRight': writing((view, spot) => moveLine(view, host, spot, 'column', 1) || true),
        'Mod-a': inTable(selectMore),
        Escape: inTable((view, spot) => {
          if (view.state.selection instanceof CellSelection) {
            view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, spot.table.at)));
          } else selectLine(view, spot.table, spot.rect);
          tabLeaves = true;
          return false;
        }),
        'Mod-/': writing(() => uiCommands.dispatchEvent(new Event('table-menu'))),
        Backspace: () => erase(this.editor.view, host, -1),
        'Mod-Backspace': () => erase(this.editor.view, host, -1),
        Delete: () => erase(this.editor.view, host, 1),
      };
    },
  });

/** To the next cell, with its words selected as in any table; behind the last one a new row begins. */
function goOn(view: EditorView, host: TableHost, { table, row, column, rect }: TableSpot, by: 1 | -1): boolean {
  const line = table.node.child(row);
  let [y, x] = [row, column + by];
  if (x < 0 || x >= line.childCount) {
    y += by;
    x = by > 0 ? 0 : (table.node.maybeChild(y)?.childCount ?? 0) - 1;
  }
  if (y < 0) return true;
  if (y >= table.node.childCount) {
    insertLines(view, host, { table, row, column: 0, rect }, 'row', y);
    return true;
  }
  const at = cellPosition(table, y, x);
  const cell = at === null ? null : view.state.doc.nodeAt(at);
  if (at === null || cell === null) return true;
  const all = TextSelection.create(view.state.doc, at + 1, at + 1 + cell.content.size);
  view.dispatch(view.state.tr.setSelection(all).scrollIntoView());
  return true;
}

/** Enter: the cell below. Behind the last row a new one begins, unless the last has no words: then it is left. */
function nextRow(view: EditorView, host: TableHost, spot: TableSpot): boolean {
  const { table, row, column } = spot;
  if (row + 1 < table.node.childCount) {
    const at = cellPosition(table, row + 1, column);
    const cell = at === null ? null : view.state.doc.nodeAt(at);
    if (at === null || cell === null) return true;
    const caret = TextSelection.create(view.state.doc, at + 1 + cell.content.size);
    view.dispatch(view.state.tr.setSelection(caret).scrollIntoView());
    return true;
  }
  if (row > 0 && table.node.child(row).textContent === '') return leave(view, spot, 1);
  insertLines(view, host, spot, 'row', row + 1);
  return true;
}

/** Out of the table into the block behind or before it, which is made where there is none. */
function leave(view: EditorView, { table }: TableSpot, by: 1 | -1): boolean {
  const { doc, schema, tr } = view.state;
  const at = by > 0 ? table.at + table.node.nodeSize : table.at;
  const next = by > 0 ? doc.nodeAt(at) : doc.resolve(at).nodeBefore;
  if (next === null || !next.isTextblock) tr.insert(at, schema.node(BLOCK));
  const caret = next === null || !next.isTextblock || by > 0 ? at + 1 : at - 1;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, caret)).scrollIntoView());
  return true;
}

function sideways(view: EditorView, { table, row, column }: TableSpot, by: 1 | -1): boolean {
  const { state } = view;
  const { selection } = state;
  const isCells = selection instanceof CellSelection;
  if (!isCells && (!selection.empty || !view.endOfTextblock(by < 0 ? 'left' : 'right'))) return false;
  // In a table of right-to-left words the next cell still is the next: cells stand from left to right.
  let [y, x] = [row, column + by];
  const line = table.node.child(row);
  if (x < 0 || x >= line.childCount) {
    y += by;
    x = by > 0 ? 0 : Number.MAX_SAFE_INTEGER;
  }
  const at = y < 0 ? null : cellPosition(table, y, x);
  if (at === null) return outOf(view, table.at, table.node.nodeSize, by);
  const end = at + 1 + (by < 0 ? (state.doc.nodeAt(at)?.content.size ?? 0) : 0);
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, end)).scrollIntoView());
  return true;
}

function upright(view: EditorView, spot: TableSpot, by: 1 | -1): boolean {
  const { table, row, column } = spot;
  const { state } = view;
  const isCells = state.selection instanceof CellSelection;
  if (!isCells && (!state.selection.empty || !view.endOfTextblock(by < 0 ? 'up' : 'down'))) return false;
  const at = row + by < 0 ? null : cellPosition(table, row + by, column);
  if (at === null) {
    const isLast = by > 0 && state.doc.childCount === table.index + 1;
    return isLast && view.editable ? leave(view, spot, 1) : outOf(view, table.at, table.node.nodeSize, by);
  }
  const target = underCaret(view, at, by);
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, target)).scrollIntoView());
  return true;
}

/** The place in a cell that is nearest below or above the caret. */
function underCaret(view: EditorView, at: number, by: 1 | -1): number {
  const cell = view.nodeDOM(at);
  const size = view.state.doc.nodeAt(at)?.content.size ?? 0;
  const fallback = by > 0 ? at + 1 : at + 1 + size;
  if (!(cell instanceof HTMLElement)) return fallback;
  const box = cell.getBoundingClientRect();
  const caret = view.coordsAtPos(view.state.selection.head);
  const left = Math.max(box.left + 1, Math.min(caret.left, box.right - 1));
  const half = (caret.bottom - caret.top) / 2;
  const found = view.posAtCoords({ left, top: by > 0 ? box.top + half : box.bottom - half })?.pos ?? fallback;
  return found > at && found <= at + 1 + size ? found : fallback;
}

function outOf(view: EditorView, at: number, size: number, by: 1 | -1): boolean {
  const { doc, tr } = view.state;
  const found = Selection.findFrom(doc.resolve(by < 0 ? at : at + size), by);
  if (found !== null) view.dispatch(tr.setSelection(found).scrollIntoView());
  return true;
}

/** Shift and an arrow: within the words of a cell as ever, at their edge from cell to cell. */
function extend(view: EditorView, { table }: TableSpot, edge: 'left' | 'right' | 'up' | 'down', y: number, x: number) {
  const { state } = view;
  const { selection } = state;
  const isCells = selection instanceof CellSelection;
  if (!isCells && !view.endOfTextblock(edge)) return false;
  const anchor = isCells ? cellAround(selection.$anchorCell) : cellAround(selection.$anchor);
  const head = isCells ? cellAround(selection.$headCell) : cellAround(selection.$head);
  if (anchor === null || head === null) return false;
  const row = Math.max(0, Math.min(head.row + y, table.node.childCount - 1));
  const column = Math.max(0, Math.min(head.column + x, columnCount(table.node) - 1));
  const to = cellPosition(table, row, column);
  if (to === null) return true;
  view.dispatch(state.tr.setSelection(CellSelection.between(state.doc, anchor.at, to)));
  return true;
}

/** The words of the cell, then the table, then the page. */
function selectMore(view: EditorView, { table }: TableSpot): boolean {
  const { doc, selection, tr } = view.state;
  if (selection instanceof CellSelection) {
    const all = wholeTable(table);
    const { rect } = selection;
    const isAll = rect.top === 0 && rect.left === 0 && rect.bottom === all.bottom && rect.right === all.right;
    if (isAll) return false;
    selectLine(view, table, all);
    return true;
  }
  const cell = cellAround(selection.$head);
  if (cell === null) return false;
  const size = cell.node.content.size;
  if (size === 0 || selection.to - selection.from === size) selectLine(view, table, wholeTable(table));
  else view.dispatch(tr.setSelection(TextSelection.create(doc, cell.at + 1, cell.at + 1 + size)));
  return true;
}

/** Nothing is joined over the edge of a cell or of a table; what is selected of cells loses its words, not its place. */
function erase(view: EditorView, host: TableHost, by: 1 | -1): boolean {
  const { state } = view;
  const { selection } = state;
  if (!view.editable) return false;
  const spot = tableSpot(selection);
  if (selection instanceof CellSelection && spot !== null) {
    const all = wholeTable(spot.table);
    const isAll = spot.rect.bottom - spot.rect.top === all.bottom && spot.rect.right - spot.rect.left === all.right;
    if (isAll && spot.table.node.textContent === '') return deleteTable(view, spot.table);
    return clearLine(view, host, spot, null);
  }
  if (!selection.empty) return false;
  const { $head } = selection;
  if (by < 0 ? $head.parentOffset > 0 : $head.parentOffset < $head.parent.content.size) return false;
  if (spot !== null) return true;
  return besideTable(view, by);
}

/** At the edge of a block beside a table: the table is selected, so that a second press takes it. */
function besideTable(view: EditorView, by: 1 | -1): boolean {
  const { state } = view;
  const block = blockAt(state.selection.$head);
  if (block === null || (by < 0 && block.node.attrs['kind'] !== 'paragraph')) return false;
  const index = block.index + by;
  const table = state.doc.maybeChild(index);
  if (index < 0 || !isTableNode(table)) return false;
  const at = by < 0 ? block.at - table.nodeSize : block.at + block.node.nodeSize;
  view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, at)).scrollIntoView());
  return true;
}
