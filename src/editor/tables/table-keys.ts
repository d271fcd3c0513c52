// Keys in tables, such as those that move from cell to cell, add a row after the last one, or select rectangles with
// Shift. They run before the keys of blocks.
import { Extension } from '@tiptap/core';
import { NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK } from 'weft-document/names.ts';
import { asOneStep } from 'weft-document/undo.ts';
import { isOwnAct } from '../binding/binding-of.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { blockAt } from '../schema/block-at.ts';
import { cellAround, cellPosition, columnCount, isTableNode } from '../schema/table-position.ts';
import {
  type TableTarget,
  clearLine,
  deleteTable,
  insertLines,
  moveLine,
  selectRect,
  tableTarget,
} from './table-commands.ts';
import { tableFromMarkdown } from './table-insert.ts';
import { CellSelection, wholeTable } from './table-selection.ts';

type TableKey = (view: EditorView, target: TableTarget) => boolean;

/** Dispatches `table-menu` on `uiCommands` when the user asks for the table's menu. */
export const tableKeys = (context: EditContext, uiCommands: EventTarget) =>
  Extension.create({
    name: 'tableKeys',
    // Before the keys of blocks: in a cell, Ctrl-/ and Alt-Shift-arrows apply to its row.
    priority: 650,
    addKeyboardShortcuts() {
      // Same as in the rest of the page: Escape, then Tab leaves the text.
      let tabLeaves = false;
      this.editor.on('transaction', ({ transaction }) => {
        if (isOwnAct(transaction)) tabLeaves = false;
      });
      const inTable = (key: TableKey) => () => {
        const { view } = this.editor;
        const target = tableTarget(view.state.selection);
        return target !== null && key(view, target);
      };
      const writing = (key: TableKey) => inTable((view, target) => view.editable && key(view, target));
      const tab = (by: 1 | -1) => writing((view, target) => !tabLeaves && nextCell(view, context, target, by));
      return {
        Tab: tab(1),
        'Shift-Tab': tab(-1),
        Enter: () => {
          const { view } = this.editor;
          if (view.editable && tableFromMarkdown(view.state)) {
            asOneStep(context.undo, () => tableFromMarkdown(view.state, view.dispatch));
            return true;
          }
          return writing((_view, target) => nextRow(view, context, target))();
        },
        'Shift-Enter': writing((view) => {
          view.dispatch(view.state.tr.insertText('\n').scrollIntoView());
          return true;
        }),
        'Mod-Enter': writing((view, target) => leaveTable(view, target, 1)),
        'Mod-Shift-Enter': writing((view, target) => leaveTable(view, target, -1)),
        ArrowLeft: inTable((view, target) => moveSideways(view, target, -1)),
        ArrowRight: inTable((view, target) => moveSideways(view, target, 1)),
        ArrowUp: inTable((view, target) => moveVertically(view, target, -1)),
        ArrowDown: inTable((view, target) => moveVertically(view, target, 1)),
        'Shift-ArrowLeft': inTable((view, target) => extendSelection(view, target, 'left', 0, -1)),
        'Shift-ArrowRight': inTable((view, target) => extendSelection(view, target, 'right', 0, 1)),
        'Shift-ArrowUp': inTable((view, target) => extendSelection(view, target, 'up', -1, 0)),
        'Shift-ArrowDown': inTable((view, target) => extendSelection(view, target, 'down', 1, 0)),
        'Alt-Shift-ArrowUp': writing((view, target) => moveLine(view, context, target, 'row', -1) || true),
        'Alt-Shift-ArrowDown': writing((view, target) => moveLine(view, context, target, 'row', 1) || true),
        'Alt-Shift-ArrowLeft': writing((view, target) => moveLine(view, context, target, 'column', -1) || true),
        'Alt-Shift-ArrowRight': writing((view, target) => moveLine(view, context, target, 'column', 1) || true),
        'Mod-a': inTable(selectMore),
        Escape: inTable((view, target) => {
          if (view.state.selection instanceof CellSelection) {
            view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, target.table.at)));
          } else selectRect(view, target.table, target.rect);
          tabLeaves = true;
          return false;
        }),
        'Mod-/': writing(() => uiCommands.dispatchEvent(new Event('table-menu'))),
        Backspace: () => erase(this.editor.view, context, -1),
        'Mod-Backspace': () => erase(this.editor.view, context, -1),
        Delete: () => erase(this.editor.view, context, 1),
      };
    },
  });

/** Moves to the next cell and selects its text. After the last cell, adds a row. */
function nextCell(
  view: EditorView,
  context: EditContext,
  { table, row, column, rect }: TableTarget,
  by: 1 | -1,
): boolean {
  const line = table.node.child(row);
  let [y, x] = [row, column + by];
  if (x < 0 || x >= line.childCount) {
    y += by;
    x = by > 0 ? 0 : (table.node.maybeChild(y)?.childCount ?? 0) - 1;
  }
  if (y < 0) return true;
  if (y >= table.node.childCount) {
    insertLines(view, context, { table, row, column: 0, rect }, 'row', y);
    return true;
  }
  const at = cellPosition(table, y, x);
  const cell = at === null ? null : view.state.doc.nodeAt(at);
  if (at === null || cell === null) return true;
  const all = TextSelection.create(view.state.doc, at + 1, at + 1 + cell.content.size);
  view.dispatch(view.state.tr.setSelection(all).scrollIntoView());
  return true;
}

/** Enter moves to the cell below. In the last row it adds a row, or leaves the table if that row is empty. */
function nextRow(view: EditorView, context: EditContext, target: TableTarget): boolean {
  const { table, row, column } = target;
  if (row + 1 < table.node.childCount) {
    const at = cellPosition(table, row + 1, column);
    const cell = at === null ? null : view.state.doc.nodeAt(at);
    if (at === null || cell === null) return true;
    const caret = TextSelection.create(view.state.doc, at + 1 + cell.content.size);
    view.dispatch(view.state.tr.setSelection(caret).scrollIntoView());
    return true;
  }
  if (row > 0 && table.node.child(row).textContent === '') return leaveTable(view, target, 1);
  insertLines(view, context, target, 'row', row + 1);
  return true;
}

/** Moves to the block after or before the table. If there is none, adds one. */
function leaveTable(view: EditorView, { table }: TableTarget, by: 1 | -1): boolean {
  const { doc, schema, tr } = view.state;
  const at = by > 0 ? table.at + table.node.nodeSize : table.at;
  const next = by > 0 ? doc.nodeAt(at) : doc.resolve(at).nodeBefore;
  if (next === null || !next.isTextblock) tr.insert(at, schema.node(BLOCK));
  const caret = next === null || !next.isTextblock || by > 0 ? at + 1 : at - 1;
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, caret)).scrollIntoView());
  return true;
}

function moveSideways(view: EditorView, { table, row, column }: TableTarget, by: 1 | -1): boolean {
  const { state } = view;
  const { selection } = state;
  const isCells = selection instanceof CellSelection;
  if (!isCells && (!selection.empty || !view.endOfTextblock(by < 0 ? 'left' : 'right'))) return false;
  // The next cell is to the right even if the text is right-to-left: columns run from left to right.
  let [y, x] = [row, column + by];
  const line = table.node.child(row);
  if (x < 0 || x >= line.childCount) {
    y += by;
    x = by > 0 ? 0 : Number.MAX_SAFE_INTEGER;
  }
  const at = y < 0 ? null : cellPosition(table, y, x);
  if (at === null) return moveOut(view, table.at, table.node.nodeSize, by);
  const end = at + 1 + (by < 0 ? (state.doc.nodeAt(at)?.content.size ?? 0) : 0);
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, end)).scrollIntoView());
  return true;
}

function moveVertically(view: EditorView, target: TableTarget, by: 1 | -1): boolean {
  const { table, row, column } = target;
  const { state } = view;
  const isCells = state.selection instanceof CellSelection;
  if (!isCells && (!state.selection.empty || !view.endOfTextblock(by < 0 ? 'up' : 'down'))) return false;
  const at = row + by < 0 ? null : cellPosition(table, row + by, column);
  if (at === null) {
    const isLast = by > 0 && state.doc.childCount === table.index + 1;
    return isLast && view.editable ? leaveTable(view, target, 1) : moveOut(view, table.at, table.node.nodeSize, by);
  }
  const position = underCaret(view, at, by);
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, position)).scrollIntoView());
  return true;
}

/** The position in a cell that is nearest below or above the caret. */
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

function moveOut(view: EditorView, at: number, size: number, by: 1 | -1): boolean {
  const { doc, tr } = view.state;
  const found = Selection.findFrom(doc.resolve(by < 0 ? at : at + size), by);
  if (found !== null) view.dispatch(tr.setSelection(found).scrollIntoView());
  return true;
}

/** Shift with an arrow selects text within a cell, and cells from the cell's edge on. */
function extendSelection(
  view: EditorView,
  { table }: TableTarget,
  edge: 'left' | 'right' | 'up' | 'down',
  y: number,
  x: number,
) {
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

/** Selects the text of the cell first, then the table, then the page. */
function selectMore(view: EditorView, { table }: TableTarget): boolean {
  const { doc, selection, tr } = view.state;
  if (selection instanceof CellSelection) {
    const all = wholeTable(table);
    const { rect } = selection;
    const isAll = rect.top === 0 && rect.left === 0 && rect.bottom === all.bottom && rect.right === all.right;
    if (isAll) return false;
    selectRect(view, table, all);
    return true;
  }
  const cell = cellAround(selection.$head);
  if (cell === null) return false;
  const size = cell.node.content.size;
  if (size === 0 || selection.to - selection.from === size) selectRect(view, table, wholeTable(table));
  else view.dispatch(tr.setSelection(TextSelection.create(doc, cell.at + 1, cell.at + 1 + size)));
  return true;
}

/**
 * Nothing is joined across the edge of a cell or table. Selected cells lose their text and stay; if they are all cells
 * and empty, the table is deleted.
 */
function erase(view: EditorView, context: EditContext, by: 1 | -1): boolean {
  const { state } = view;
  const { selection } = state;
  if (!view.editable) return false;
  const target = tableTarget(selection);
  if (selection instanceof CellSelection && target !== null) {
    const all = wholeTable(target.table);
    const isAll =
      target.rect.bottom - target.rect.top === all.bottom && target.rect.right - target.rect.left === all.right;
    if (isAll && target.table.node.textContent === '') return deleteTable(view, target.table);
    return clearLine(view, context, target, null);
  }
  if (!selection.empty) return false;
  const { $head } = selection;
  if (by < 0 ? $head.parentOffset > 0 : $head.parentOffset < $head.parent.content.size) return false;
  if (target !== null) return true;
  return selectNeighbourTable(view, by);
}

/** At the edge of a block next to a table, the table is selected, so that a second press deletes it. */
function selectNeighbourTable(view: EditorView, by: 1 | -1): boolean {
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
