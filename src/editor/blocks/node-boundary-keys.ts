// Arrow keys, Enter and Backspace around nodes that are not text blocks: moving into formulas, code and tables, past
// folded blocks, and before the first or after the last node of a page, where a caret has no place. A new block is written only
// where the user asks for one.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import {
  type Command,
  type EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK, MATH, TABLE } from 'weft-document/names.ts';
import { isBlock, isCode } from '../schema/block-at.ts';
import { isHidden } from './folding.ts';

type Direction = 'left' | 'right' | 'up' | 'down';

export const NodeBoundaryKeys = Extension.create({
  name: 'nodeBoundaryKeys',
  priority: 600,
  addKeyboardShortcuts() {
    const run = (command: Command) => () => {
      const { view } = this.editor;
      return view.editable && command(view.state, view.dispatch, view);
    };
    return {
      ArrowLeft: run(moveBy('left')),
      ArrowRight: run(moveBy('right')),
      ArrowUp: run(moveBy('up')),
      ArrowDown: run(moveBy('down')),
      Enter: run(leaveMath),
      Backspace: run(eraseEmptyMath),
    };
  },
  addProseMirrorPlugins: () => [new Plugin({ props: { handleTextInput: typeAfterNode } })],
});

/** An arrow key at the edge of a node. */
const moveBy =
  (direction: Direction): Command =>
  (state, dispatch, view) => {
    const { selection } = state;
    const isForward = direction === 'right' || direction === 'down';
    const index = isNodeSelected(selection) ? selection.$from.index() : edgeIndex(state, direction, view);
    if (index === null) return false;
    const next = nextVisible(state, index, isForward ? 1 : -1);
    if (next === null) {
      const node = state.doc.child(index);
      // The title is above the first line, and no one leaves code by moving right.
      return (
        (!isBlock(node) || (isCode(node) && direction === 'down')) && addParagraphAtEdge(isForward)(state, dispatch)
      );
    }
    if (next.node.type.name === MATH) {
      const at = next.at + 1 + (isForward ? 0 : next.node.content.size);
      return select(state, dispatch, TextSelection.create(state.doc, at));
    }
    const isVertical = direction === 'up' || direction === 'down';
    if (isVertical && view !== undefined && (isCode(next.node) || next.node.type.name === TABLE)) {
      return select(state, dispatch, nearestIn(next, isForward, view));
    }
    const skipsHidden = next.index !== index + (isForward ? 1 : -1);
    const fromMath = state.doc.child(index).type.name === MATH;
    if (!skipsHidden && !fromMath && !isNodeSelected(selection)) return false;
    if (next.node.isAtom) return select(state, dispatch, NodeSelection.create(state.doc, next.at));
    const side = state.doc.resolve(isForward ? next.at : next.at + next.node.nodeSize);
    const found = Selection.findFrom(side, isForward ? 1 : -1);
    return found !== null && select(state, dispatch, found);
  };

/**
 * The place in the first or last line of code or a table that is nearest to the caret. Firefox goes to the far end of
 * boxes with `overflow`: from above into the last cell of a table and into the last line of code.
 */
function nearestIn({ node, at }: PlacedNode, isFromAbove: boolean, view: EditorView): Selection {
  const { doc, selection } = view.state;
  const end = at + node.nodeSize;
  const edge = Selection.near(doc.resolve(isFromAbove ? at : end), isFromAbove ? 1 : -1);
  const line = view.coordsAtPos(edge.head);
  const { left } = view.coordsAtPos(selection.head);
  const nearest = view.posAtCoords({ left, top: (line.top + line.bottom) / 2 });
  const isInside = nearest !== null && nearest.pos > at && nearest.pos < end;
  return isInside ? Selection.near(doc.resolve(nearest.pos)) : edge;
}

/** Index of the node at whose edge the caret is. Null: the browser moves the caret within the node. */
function edgeIndex(state: EditorState, direction: Direction, view: EditorView | undefined): number | null {
  const { selection } = state;
  if (!(selection instanceof TextSelection) || !selection.empty || selection.$from.depth === 0) return null;
  // Tables have their own keys for moving between cells.
  if (selection.$from.node(1).type.name === TABLE) return null;
  return view?.endOfTextblock(direction) === true ? selection.$from.index(0) : null;
}

type PlacedNode = { readonly node: Node; readonly at: number; readonly index: number };

/** The next visible node; null at the edge of the page. */
function nextVisible(state: EditorState, from: number, by: 1 | -1): PlacedNode | null {
  const positions: number[] = [];
  state.doc.forEach((_node, at) => void positions.push(at));
  for (let index = from + by; index >= 0 && index < state.doc.childCount; index += by) {
    const at = positions[index] ?? 0;
    if (!isHidden(state, at)) return { node: state.doc.child(index), at, index };
  }
  return null;
}

/** Inserts an empty paragraph at the start or end of the page. */
const addParagraphAtEdge =
  (isEnd: boolean): Command =>
  (state, dispatch) => {
    dispatch?.(withParagraph(state, isEnd ? state.doc.content.size : 0).scrollIntoView());
    return true;
  };

/** Enter in a formula moves on to the block after it. Shift-Enter inserts a line break into the TeX. */
const leaveMath: Command = (state, dispatch) => {
  const math = mathOf(state);
  if (math === null) return false;
  const end = math.at + math.node.nodeSize;
  const next = state.doc.nodeAt(end);
  if (isBlock(next) && next.content.size === 0) {
    return select(state, dispatch, TextSelection.create(state.doc, end + 1));
  }
  dispatch?.(withParagraph(state, end).scrollIntoView());
  return true;
};

/** Backspace in an empty formula replaces it with an empty paragraph. */
const eraseEmptyMath: Command = (state, dispatch) => {
  const math = mathOf(state);
  if (math === null || !state.selection.empty || state.selection.$from.parentOffset > 0) return false;
  if (math.node.content.size > 0) {
    // At the start of a formula nothing is joined, because text is not TeX.
    return moveBy('left')(state, dispatch) || true;
  }
  const transaction = state.tr.replaceWith(math.at, math.at + math.node.nodeSize, state.schema.node(BLOCK));
  dispatch?.(transaction.setSelection(TextSelection.create(transaction.doc, math.at + 1)).scrollIntoView());
  return true;
};

/** Text typed while a node is selected goes into a new block after it. Otherwise it would replace the node. */
function typeAfterNode(view: EditorView, _from: number, _to: number, text: string): boolean {
  const { state } = view;
  if (!isNodeSelected(state.selection) || !view.editable) return false;
  view.dispatch(withParagraph(state, state.selection.to).insertText(text).scrollIntoView());
  return true;
}

function withParagraph({ tr, schema }: EditorState, at: number): Transaction {
  const transaction = tr.insert(at, schema.node(BLOCK));
  return transaction.setSelection(TextSelection.create(transaction.doc, at + 1));
}

function mathOf({ selection }: EditorState): { readonly node: Node; readonly at: number } | null {
  const { $from } = selection;
  if (isNodeSelected(selection) || $from.depth === 0 || $from.node(1).type.name !== MATH) return null;
  return { node: $from.node(1), at: $from.before(1) };
}

/** A top-level node selected as a whole. */
const isNodeSelected = (selection: Selection): selection is NodeSelection =>
  selection instanceof NodeSelection && selection.$from.depth === 0;

function select(state: EditorState, dispatch: ((transaction: Transaction) => void) | undefined, to: Selection): true {
  dispatch?.(state.tr.setSelection(to).scrollIntoView());
  return true;
}
