// Creates tables: from the menu, and from a line of Markdown.
import type { Node, Schema } from '@tiptap/pm/model';
import { type Command, TextSelection, type Transaction } from '@tiptap/pm/state';
import { BLOCK, CELL, ROW, TABLE } from 'weft-document/names.ts';
import { MAX_COLUMNS } from 'weft-document/tables/table-grid.ts';
import { type PlacedBlock, blockAt, isBlock, styleOf } from '../schema/block-at.ts';
import { cellPosition } from '../schema/table-position.ts';

/** Replaces an empty block, or inserts after the block of the caret: a table of three by three with a header row. */
export const insertTable: Command = (state, dispatch) => {
  const block = blockAt(state.selection.$from);
  if (block === null) return false;
  const table = makeTable(state.schema, [[], [], []]);
  const { at, node } = block;
  const end = at + node.nodeSize;
  const transaction = state.tr;
  if (node.content.size === 0) transaction.replaceWith(at, end, table);
  else transaction.insert(end, table);
  dispatch?.(placeCaretAfterInsert(transaction, node.content.size === 0 ? at : end, 0));
  return true;
};

/** Enter after `| a | b |` makes a table with these words as its header row. */
export const tableFromMarkdown: Command = (state, dispatch) => {
  const block = state.selection.empty ? blockAt(state.selection.$from) : null;
  if (block === null || !isAtEnd(block, state.selection.head)) return false;
  const words = headerTexts(block);
  if (words === null) return false;
  const { at, node } = block;
  const cells = words.map((word) => (word === '' ? [] : [state.schema.text(word)]));
  dispatch?.(
    placeCaretAfterInsert(state.tr.replaceWith(at, at + node.nodeSize, makeTable(state.schema, cells)), at, 1),
  );
  return true;
};

/** At least two cells: text between only two bars could be anything. */
function headerTexts({ node }: PlacedBlock): readonly string[] | null {
  const { kind } = styleOf(node);
  const inner = /^\s*\|(.*)\|\s*$/.exec(node.textContent)?.[1];
  if (kind !== 'paragraph' || inner === undefined) return null;
  const words = inner.split(/(?<!\\)\|/).map((word) => word.replaceAll('\\|', '|').trim());
  return words.length < 2 || words.length > MAX_COLUMNS ? null : words;
}

const isAtEnd = ({ at, node }: PlacedBlock, head: number): boolean => head === at + 1 + node.content.size;

function makeTable(schema: Schema, head: readonly (readonly Node[])[]): Node {
  const row = (cells: readonly (readonly Node[])[]) =>
    schema.node(
      ROW,
      null,
      cells.map((words) => schema.node(CELL, null, [...words])),
    );
  const empty = head.map(() => []);
  return schema.node(TABLE, { headRow: true }, [row(head), row(empty), row(empty)]);
}

/** A table that no text block follows gets an empty one after it, so that writing can continue. */
function placeCaretAfterInsert(transaction: Transaction, at: number, row: number): Transaction {
  const table = transaction.doc.nodeAt(at);
  const cell = table === null ? null : cellPosition({ node: table, at }, row, 0);
  if (table === null || cell === null) return transaction;
  const end = at + table.nodeSize;
  const next = transaction.doc.nodeAt(end);
  if (!isBlock(next)) transaction.insert(end, transaction.doc.type.schema.node(BLOCK));
  return transaction.setSelection(TextSelection.create(transaction.doc, cell + 1)).scrollIntoView();
}
