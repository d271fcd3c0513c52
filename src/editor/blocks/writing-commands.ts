// Enter (also with Shift or Mod), Backspace and Delete in a page, whose blocks lie flat, as ProseMirror commands.
import type { Node } from '@tiptap/pm/model';
import { type Command, type EditorState, NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state';
import { MAX_INDENT } from 'weft-document/blocks/block.ts';
import { DIVIDER } from 'weft-document/names.ts';
import { leaveBlankCodeLine, newCodeLine } from '../code/code-lines.ts';
import { type PlacedBlock, blockAt, isBlock, isCode, styleOf } from '../schema/block-at.ts';
import { setBlockAttributes } from './block-commands.ts';
import { foldedBodyEnd, isHidden, unfoldAt } from './folding.ts';

/** Kinds whose next line is the first one of their body. */
const HOLDING: readonly string[] = ['toggle', 'callout'];
/** Kinds whose next line has the same kind. */
const CONTINUING: readonly string[] = ['bullet', 'numbered', 'task', 'quote'];

/** Enter in a text block splits it, leaves a list or body, adds a line to code, or begins a code block. */
export const breakBlock: Command = (state, dispatch, view) => {
  const block = caretBlock(state);
  if (block === null) return false;
  const { kind, indent } = styleOf(block.node);
  const isEmpty = block.node.content.size === 0;
  if (kind === 'code') return breakCode(block)(state, dispatch, view);
  if (kind === 'paragraph') {
    const fence = /^```([\w+#-]*)$/.exec(block.node.textContent);
    if (fence !== null) return startCode(block, fence[1] ?? '')(state, dispatch, view);
  }
  const isPlain = kind === 'paragraph' || kind === 'heading';
  // Enter on an empty line leaves the list, toggle or callout, one indent at a time. A plain line leaves it only at its end: one in
  // the middle would cut off what follows.
  if (isEmpty && (isPlain ? indent > 0 && endsBody(state.doc, block.index, indent) : true)) {
    dispatch?.(setBlockAttributes(state.tr, [block], indent > 0 ? { indent: indent - 1 } : { kind: 'paragraph' }));
    return true;
  }
  return splitBlock(block)(state, dispatch, view);
};

/** Whether the next text block, if there is one, is less deep. */
function endsBody(doc: Node, index: number, indent: number): boolean {
  const next = doc.children.slice(index + 1).find(isBlock);
  return next === undefined || styleOf(next).indent < indent;
}

/** Shift-Enter. A line break is a character of the text and merges like any other. */
export const breakLine: Command = (state, dispatch) => {
  if (blockAt(state.selection.$from) === null) return false;
  dispatch?.(state.tr.insertText('\n').scrollIntoView());
  return true;
};

/** Mod-Enter in code: continues in a paragraph after it. */
export const leaveCode: Command = (state, dispatch) => {
  const block = caretBlock(state);
  if (block === null || !isCode(block.node)) return false;
  dispatch?.(addBlockAfter(state.tr, block).scrollIntoView());
  return true;
};

/**
 * Backspace at the start of a block removes the kind first, then the indent. Then it joins the block with the text
 * before it, or selects the picture or other node there.
 */
export const eraseBackward: Command = (state, dispatch) => {
  const block = caretBlock(state);
  if (block === null || !state.selection.empty || state.selection.$from.parentOffset > 0) return false;
  const { kind, indent } = styleOf(block.node);
  const transaction = state.tr;
  if (kind !== 'paragraph') setBlockAttributes(transaction, [block], { kind: 'paragraph' });
  else if (indent > 0) setBlockAttributes(transaction, [block], { indent: indent - 1 });
  else {
    if (block.index === 0) return true;
    const before = state.doc.child(block.index - 1);
    const start = block.at - before.nodeSize;
    if (isHidden(state, start)) return unfoldAt(start)(state, dispatch);
    // The block with the text stays: what someone types in it at this moment is kept (T3 in docs/losses.md).
    if (isErasable(before)) transaction.delete(start, block.at);
    // A picture, table or other node is selected first, so that one key does not delete it by accident.
    else if (!isBlock(before)) {
      if (block.node.content.size === 0) transaction.delete(block.at, block.at + block.node.nodeSize);
      transaction.setSelection(NodeSelection.create(transaction.doc, start));
    } else if (block.node.content.size === 0) {
      transaction.delete(block.at, block.at + block.node.nodeSize);
      transaction.setSelection(TextSelection.create(transaction.doc, block.at - 1));
    } else transaction.join(block.at);
  }
  dispatch?.(transaction.scrollIntoView());
  return true;
};

/** One key deletes it, because it has no content. */
const isErasable = (node: Node): boolean => node.type.name === DIVIDER || (isBlock(node) && node.content.size === 0);

/**
 * Delete at the end of a block joins the next block's text, deletes whichever of the two is empty, or selects the next
 * node.
 */
export const eraseForward: Command = (state, dispatch) => {
  const block = caretBlock(state);
  if (block === null || !state.selection.empty) return false;
  if (state.selection.$from.parentOffset < block.node.content.size) return false;
  const end = block.at + block.node.nodeSize;
  const next = state.doc.maybeChild(block.index + 1);
  if (next === null) return true;
  // A hidden block is not joined: it is unfolded first.
  if (isHidden(state, end)) return unfoldAt(end)(state, dispatch);
  const transaction = state.tr;
  if (isErasable(next)) transaction.delete(end, end + next.nodeSize);
  else if (!isBlock(next)) transaction.setSelection(NodeSelection.create(state.doc, end));
  else if (block.node.content.size === 0) {
    transaction.delete(block.at, end);
    transaction.setSelection(TextSelection.create(transaction.doc, block.at + 1));
  } else transaction.join(end);
  dispatch?.(transaction.scrollIntoView());
  return true;
};

/** Enter on a selected divider, picture or other node adds a paragraph after it. */
export const writeAfterNode: Command = (state, dispatch) => {
  const { selection } = state;
  const paragraph = state.schema.nodes['block'];
  if (!(selection instanceof NodeSelection) || paragraph === undefined) return false;
  const transaction = state.tr.insert(selection.to, paragraph.create());
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, selection.to + 1)).scrollIntoView());
  return true;
};

const splitBlock =
  (block: PlacedBlock): Command =>
  (state, dispatch) => {
    const transaction = state.tr.deleteSelection();
    const $caret = transaction.selection.$from;
    const node = $caret.parent;
    const { kind, indent } = styleOf(node);
    const folded = foldedBodyEnd(state, block.at);
    const isAtEnd = $caret.parentOffset === node.content.size;
    if (folded !== null && isAtEnd && state.selection.empty) {
      // Adds another toggle after the folded body, which stays with this one.
      transaction.insert(folded, node.type.create({ kind, indent: indent > 0 ? indent : null }));
      dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, folded + 1)).scrollIntoView());
      return true;
    }
    const style = nextStyle(node);
    if ($caret.parentOffset === 0 && node.content.size > 0) {
      // The text keeps its block and id; the new block goes before it, and the list starts there.
      const { indent: depth, start } = node.attrs;
      const before = HOLDING.includes(kind) ? { kind: 'paragraph', indent: depth } : { ...style, start };
      setBlockAttributes(transaction, [{ node, at: $caret.before(), index: block.index }], { start: null });
      transaction.insert($caret.before(), node.type.create(before));
    } else {
      // Text split off a toggle or callout becomes the first block of its body. At the same indent it would end the body.
      const second =
        isAtEnd || HOLDING.includes(kind) ? style : { ...node.attrs, checked: null, start: null, id: null };
      transaction.split($caret.pos, 1, [{ type: node.type, attrs: second }]);
    }
    dispatch?.(transaction.scrollIntoView());
    return true;
  };

/** Attributes of the line after a block: the same kind in lists, the first line of the body in a toggle or callout. */
function nextStyle(node: Node): Readonly<Record<string, unknown>> {
  const { kind, indent } = styleOf(node);
  if (HOLDING.includes(kind)) return { kind: 'paragraph', indent: Math.min(MAX_INDENT, indent + 1) };
  const { indent: depth, delimiter } = node.attrs;
  return { kind: CONTINUING.includes(kind) ? kind : 'paragraph', indent: depth, delimiter };
}

const breakCode =
  (block: PlacedBlock): Command =>
  (state, dispatch) => {
    const shorter = leaveBlankCodeLine(state, block);
    if (shorter === null) dispatch?.(newCodeLine(state).scrollIntoView());
    else dispatch?.(addBlockAfter(shorter, { ...block, node: shorter.doc.child(block.index) }).scrollIntoView());
    return true;
  };

const startCode =
  (block: PlacedBlock, language: string): Command =>
  (state, dispatch) => {
    const transaction = state.tr.delete(block.at + 1, block.at + 1 + block.node.content.size);
    dispatch?.(setBlockAttributes(transaction, [block], { kind: 'code', ...(language === '' ? {} : { language }) }));
    return true;
  };

function addBlockAfter(transaction: Transaction, { node, at }: PlacedBlock): Transaction {
  const end = at + node.nodeSize;
  transaction.insert(end, node.type.create());
  return transaction.setSelection(TextSelection.create(transaction.doc, end + 1));
}

/**
 * The text block that contains the caret or the start of the selection; null if there is none, or if a node is
 * selected.
 */
const caretBlock = ({ selection }: EditorState): PlacedBlock | null =>
  selection instanceof NodeSelection ? null : blockAt(selection.$from);
