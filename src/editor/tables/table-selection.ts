// Selections for tables: a rectangle of cells, and text selected from outside into a table, which includes the whole
// table.
import { Fragment, type Node, type ResolvedPos, Slice } from '@tiptap/pm/model';
import { type EditorState, Selection, SelectionRange, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { Mappable } from '@tiptap/pm/transform';
import type { Rect } from 'weft-document/tables/table-grid.ts';
import { type PlacedTable, cellAround, cellPosition, columnCount, tableAround } from '../schema/table-position.ts';

/**
 * The cells from one corner to the other. The first range is the cell at the moving corner, because ProseMirror scrolls
 * it into view.
 */
export class CellSelection extends Selection {
  readonly $anchorCell: ResolvedPos;
  readonly $headCell: ResolvedPos;

  constructor($anchorCell: ResolvedPos, $headCell: ResolvedPos) {
    const ranges = rangesOf($anchorCell, $headCell);
    const [first] = ranges;
    if (first === undefined) throw new RangeError('no cells to select');
    super(first.$from, first.$to, ranges);
    this.$anchorCell = $anchorCell;
    this.$headCell = $headCell;
    this.visible = false;
  }

  /** Takes the positions before the two cells. */
  static between(doc: Node, anchor: number, head: number): CellSelection {
    return new CellSelection(doc.resolve(anchor), doc.resolve(head));
  }

  get table(): PlacedTable {
    const table = tableAround(this.$anchorCell);
    if (table === null) throw new RangeError('cells outside of a table');
    return table;
  }

  get rect(): Rect {
    return rectOf(this.$anchorCell, this.$headCell);
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const $anchor = doc.resolve(mapping.map(this.$anchorCell.pos));
    const $head = doc.resolve(mapping.map(this.$headCell.pos));
    const [from, to] = [cellAround($anchor), cellAround($head)];
    if (from === null || to === null || from.table.at !== to.table.at) return Selection.near($head);
    return CellSelection.between(doc, from.at, to.at);
  }

  /** A table with only these cells. */
  override content(): Slice {
    const { table, rect } = this;
    const rows: Node[] = [];
    for (let row = rect.top; row < rect.bottom; row++) {
      const line = table.node.child(row);
      rows.push(line.copy(Fragment.from(line.content.content.slice(rect.left, rect.right))));
    }
    const head = { ...table.node.attrs, id: null };
    const attributes = {
      ...head,
      headRow: rect.top === 0 ? table.node.attrs['headRow'] : null,
      headColumn: rect.left === 0 ? table.node.attrs['headColumn'] : null,
    };
    return new Slice(Fragment.from(table.node.type.create(attributes, rows)), 0, 0);
  }

  /** The cells stay; only their text is deleted. */
  override replace(transaction: Transaction, content = Slice.empty): void {
    const at = cellAround(this.$anchorCell)?.at ?? this.from;
    const before = transaction.steps.length;
    for (const { $from, $to } of [...this.ranges].sort((a, b) => b.$from.pos - a.$from.pos)) {
      if ($from.pos < $to.pos) transaction.delete($from.pos, $to.pos);
    }
    const start = transaction.mapping.slice(before).map(at) + 1;
    if (content.size > 0) transaction.replaceRange(start, start, content);
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(start + content.size), -1));
  }

  override replaceWith(transaction: Transaction, node: Node): void {
    this.replace(transaction, new Slice(Fragment.from(node), 0, 0));
  }

  override eq(other: Selection): boolean {
    return (
      other instanceof CellSelection &&
      other.$anchorCell.pos === this.$anchorCell.pos &&
      other.$headCell.pos === this.$headCell.pos
    );
  }

  override toJSON(): object {
    return { type: 'cells', anchor: this.$anchorCell.pos, head: this.$headCell.pos };
  }
}

/** Text selected from outside a table into it, or the other way. Deleting it deletes the whole table. */
export class TextAcrossTable extends TextSelection {
  override replace(transaction: Transaction, content = Slice.empty): void {
    const { $from, $to } = this;
    const from = tableAround($from) === null ? null : $from.before(1);
    const to = tableAround($to) === null ? null : $to.after(1);
    if (to === null && $to.depth > 0) transaction.delete($to.start(1), $to.pos);
    const start = from ?? ($from.depth > 0 ? $from.after(1) : $from.pos);
    const end = to ?? ($to.depth > 0 ? $to.before(1) : $to.pos);
    if (start < end) transaction.delete(start, end);
    if (from === null && $from.depth > 0) transaction.delete($from.pos, $from.end(1));
    const at = from ?? $from.pos;
    const $at = transaction.doc.resolve(Math.min(at, transaction.doc.content.size));
    const caret = Selection.near($at, from === null ? -1 : 1);
    transaction.setSelection(caret);
    if (content.size > 0) transaction.replaceRange(caret.from, caret.to, content);
  }

  override replaceWith(transaction: Transaction, node: Node): void {
    this.replace(transaction, new Slice(Fragment.from(node), 0, 0));
  }
}

/** The selection that replaces a text selection which touches a table; null if it can stay. */
export function tableSelection({ doc, selection }: EditorState): Selection | null {
  if (!(selection instanceof TextSelection) || selection instanceof TextAcrossTable) return null;
  const { $anchor, $head } = selection;
  if ($anchor.sameParent($head)) return null;
  const [from, to] = [tableAround($anchor), tableAround($head)];
  if (from === null && to === null) return null;
  if (from?.at === to?.at) {
    const [a, b] = [cellAround($anchor), cellAround($head)];
    return a === null || b === null ? null : CellSelection.between(doc, a.at, b.at);
  }
  const isForward = $anchor.pos < $head.pos;
  const anchor = from === null ? $anchor.pos : edgeOf(from, !isForward);
  const head = to === null ? $head.pos : edgeOf(to, isForward);
  return new TextAcrossTable(doc.resolve(anchor), doc.resolve(head));
}

/** The first caret position in a table, or the last. */
function edgeOf({ node, at }: PlacedTable, isEnd: boolean): number {
  return isEnd ? at + node.nodeSize - 3 : at + 3;
}

/** The cells of a rectangle; null if a corner has no row or its row no cells. */
export function selectCells(doc: Node, table: PlacedTable, rect: Rect): CellSelection | null {
  const from = cellPosition(table, rect.top, rect.left);
  const to = cellPosition(table, rect.bottom - 1, rect.right - 1);
  return from === null || to === null ? null : CellSelection.between(doc, from, to);
}

export const wholeTable = ({ node }: PlacedTable): Rect => ({
  top: 0,
  left: 0,
  bottom: node.childCount,
  right: columnCount(node),
});

function rectOf($anchor: ResolvedPos, $head: ResolvedPos): Rect {
  const [a, b] = [cellAround($anchor), cellAround($head)];
  if (a === null || b === null) throw new RangeError('not before a cell');
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row) + 1,
    right: Math.max(a.column, b.column) + 1,
  };
}

function rangesOf($anchor: ResolvedPos, $head: ResolvedPos): SelectionRange[] {
  const { doc } = $anchor;
  const head = cellAround($head);
  if (head === null) throw new RangeError('not before a cell');
  const { top, left, bottom, right } = rectOf($anchor, $head);
  const inside = (at: number, node: Node) =>
    new SelectionRange(doc.resolve(at + 1), doc.resolve(at + 1 + node.content.size));
  const ranges = [inside(head.at, head.node)];
  head.table.node.forEach((row, offset, y) => {
    if (y < top || y >= bottom) return;
    const at = head.table.at + 1 + offset + 1;
    row.forEach((cell, within, x) => {
      if (x >= left && x < right && at + within !== head.at) ranges.push(inside(at + within, cell));
    });
  });
  return ranges;
}
