// Keeps your caret in its cell when someone else moves the row or column. To Yjs a move is a copy, which names its
// original.
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { type EditorState, TextSelection } from '@tiptap/pm/state';
import { TABLE } from 'weft-document/names.ts';
import { MOVED, cellsOf, firstIdOf, isTable, rowsOf } from 'weft-document/tables/table-grid.ts';
import { mapIndex, textChange } from 'weft-document/title.ts';
import type * as Y from 'yjs';
import { bindingOf } from '../binding/binding-of.ts';
import { positionOf } from '../blocks/block-selection.ts';
import { cellPosition } from '../schema/table-position.ts';

/** Null if the caret was in no cell, or its cell is gone. */
export function selectionInMovedCell(before: EditorState, after: EditorState): TextSelection | null {
  const { $anchor, $head } = before.selection;
  const nodes = bindingOf(after)?.nodes;
  const isInCell = $head.depth === 3 && $anchor.sameParent($head) && $head.node(1).type.name === TABLE;
  if (!(before.selection instanceof TextSelection) || !isInCell || nodes === undefined) return null;
  const [row, cell] = [nodes.formerElementOf($head.node(2)), nodes.formerElementOf($head.parent)];
  const table: unknown = row?.parent;
  if (row === null || cell === null || !isTable(table)) return null;
  const rows = rowsOf(table);
  const rowIndex = indexOfCopy(rows, row, $head.node(2));
  const cells = cellsOf(rows[rowIndex] ?? row);
  // A moved row has copies of all its cells, and only a cell that was moved before names its original.
  const isSameSize = cells.length === $head.node(2).childCount;
  const known = indexOfCopy(cells, cell, $head.parent);
  const cellIndex = known < 0 && rows[rowIndex] !== row && isSameSize ? $head.index(2) : known;
  const id = table.getAttribute('id');
  const index = after.doc.children.findIndex(({ attrs }) => attrs['id'] === id);
  const node = after.doc.maybeChild(index);
  const now = node?.maybeChild(rowIndex)?.maybeChild(cellIndex);
  if (node == null || now == null) return null;
  const position = cellPosition({ node, at: positionOf(after.doc, index) }, rowIndex, cellIndex);
  if (position === null) return null;
  const change = textChange($head.parent.textContent, now.textContent);
  const at = ({ parentOffset }: ResolvedPos) => position + 1 + mapIndex(parentOffset, change);
  return TextSelection.create(after.doc, at($anchor), at($head));
}

/** The row or cell itself, or the copy that a move left; -1 if it is gone. `before`: its node in the page before. */
function indexOfCopy(lines: readonly Y.XmlElement[], line: Y.XmlElement, before: Node): number {
  const same = lines.indexOf(line);
  const known: unknown = before.attrs[MOVED];
  const first = typeof known === 'string' ? known : firstIdOf(line);
  return same >= 0 ? same : lines.findIndex((one) => one.getAttribute(MOVED) === first);
}
