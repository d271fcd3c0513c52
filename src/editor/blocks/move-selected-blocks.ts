// Moves and duplicates selected blocks in the Yjs document itself. Through the editor, the binding would choose which
// nodes to delete and insert; here the moved nodes are known.
import type { Editor } from '@tiptap/core';
import { type Selection, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { duplicateBlocks, estimateBytesOf, moveBlocks } from 'weft-document/blocks/move-blocks.ts';
import { asOneStep } from 'weft-document/undo.ts';
import type * as Y from 'yjs';
import { EDITOR_ORIGIN, documentOf } from '../binding/binding-of.ts';
import type { EditContext } from '../binding/edit-context.ts';
import { indentsAt, moveTarget, withBody } from './block-bodies.ts';
import { BlockSelection, type Blocks, positionOf, touchedBlocks } from './block-selection.ts';

/** Moves the selected blocks with their bodies past the next block (1) or the one before them (-1). */
export function moveSelected({ view }: Editor, { undo }: EditContext, by: 1 | -1): boolean {
  const blocks = withBody(view.state.doc, touchedBlocks(view.state));
  const to = moveTarget(view.state.doc, blocks, by);
  return to !== null && moveTo(view, undo, blocks, to);
}

/** Moves blocks in front of the block that is at `to` now. The caret or selection moves with them. */
export function moveTo(view: EditorView, undo: Y.UndoManager, blocks: Blocks, to: number): boolean {
  const { state } = view;
  const doc = documentOf(view.state);
  if (doc === null || !view.editable || (to >= blocks.from && to <= blocks.to)) return false;
  const range = { from: blocks.from, count: blocks.to - blocks.from };
  const indents = indentsAt(state.doc, blocks, to);
  const { selection: before } = state;
  const start = positionOf(state.doc, blocks.from);
  if (!asOneStep(undo, () => moveBlocks(doc, range, to, indents, EDITOR_ORIGIN))) return false;
  const from = to > blocks.from ? to - range.count : to;
  const page = view.state.doc;
  const last = from + range.count - 1;
  const moved = positionOf(page, from) - start;
  const $at = (position: number) => page.resolve(Math.max(0, Math.min(position + moved, page.content.size)));
  const selection: Selection =
    before instanceof BlockSelection
      ? BlockSelection.between(page, before.isForward ? from : last, before.isForward ? last : from)
      : TextSelection.between($at(before.anchor), $at(before.head));
  view.dispatch(view.state.tr.setSelection(selection).scrollIntoView());
  return true;
}

/** Inserts copies of the selected blocks and their bodies right after them, and selects the copies. */
export function duplicateSelected({ view }: Editor, { undo, mayGrow }: EditContext): boolean {
  const blocks = withBody(view.state.doc, touchedBlocks(view.state));
  const doc = documentOf(view.state);
  const range = { from: blocks.from, count: blocks.to - blocks.from };
  if (doc === null || !view.editable || range.count === 0) return false;
  if (!mayGrow(estimateBytesOf(doc, range))) return true;
  if (!asOneStep(undo, () => duplicateBlocks(doc, range, EDITOR_ORIGIN))) return false;
  const { tr, doc: page } = view.state;
  view.dispatch(tr.setSelection(BlockSelection.between(page, blocks.to, blocks.to + range.count - 1)).scrollIntoView());
  return true;
}
