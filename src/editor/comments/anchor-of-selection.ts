// What a new thread is about: the selected words, or the block at the caret, which gets an id if it has none. Null while
// the editor is behind the document, or if neither can have an anchor.
import type { Editor } from '@tiptap/core';
import { AllSelection, type Selection, TextSelection } from '@tiptap/pm/state';
import { blockAnchor, textAnchor } from 'weft-document/comments/make-anchor.ts';
import type { Anchor } from '../../protocol/comments.ts';
import { bindingOf } from '../binding/binding-of.ts';
import { toRelativePosition } from '../binding/page-positions.ts';
import { idOfBlock } from '../blocks/block-link.ts';
import { BlockSelection } from '../blocks/block-selection.ts';

export function anchorOfSelection(editor: Editor): Anchor | null {
  const { selection, doc } = editor.state;
  const binding = bindingOf(editor.state);
  if (binding === null || binding.nodes.syncedPage !== doc) return null;
  if (hasWords(selection)) {
    const from = toRelativePosition(binding, doc, selection.from);
    const words = textAnchor(binding.doc, from, toRelativePosition(binding, doc, selection.to));
    if (words !== null) return words;
  }
  const id = idOfBlock(editor);
  return id === null ? null : blockAnchor(binding.doc, id);
}

/**
 * A rectangle of cells does not count: it is not one part of the text. A single selected block is the anchor as a
 * block.
 */
const hasWords = (selection: Selection): boolean =>
  selection instanceof BlockSelection
    ? selection.blocks.to > selection.blocks.from + 1
    : !selection.empty && (selection instanceof TextSelection || selection instanceof AllSelection);
