// Who has the caret in a block that somebody moves goes with it: the copy has the same id, and the letters their places.
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, TextSelection } from '@tiptap/pm/state';
import { mapIndex, textChange } from '../document/title.ts';
import { comesFromDocument } from './binding-of.ts';
import { BlockSelection, type Blocks, positionOf } from './block-selection.ts';

/** Where a caret stood in a block's words before somebody moved it, words included that the mover had not seen. */
type Left = { readonly id: string; readonly text: string; readonly anchor: number; readonly head: number };

export function followBlock(): Plugin {
  let left: Left | null = null;
  return new Plugin({
    appendTransaction(transactions, before, after) {
      if (!transactions.some((one) => one.docChanged && comesFromDocument(one))) {
        if (transactions.some((one) => one.selectionSet || one.docChanged)) left = null;
        return null;
      }
      // The rescue has put the words back: the caret is behind the same letter again.
      const returned = left === null ? null : inWords(after.doc, left);
      if (returned !== null) {
        left = null;
        return after.tr.setSelection(returned);
      }
      const isRedrawn = (at: number) => {
        let place = at;
        for (const { mapping } of transactions) {
          const { pos, deletedAfter } = mapping.mapResult(place, 1);
          if (deletedAfter) return true;
          place = pos;
        }
        return false;
      };
      const selection = followed(before, after, isRedrawn);
      if (selection === null) return null;
      left = selection instanceof TextSelection ? leftBy(before) : null;
      return selection.eq(after.selection) ? null : after.tr.setSelection(selection);
    },
  });
}

function leftBy({ selection: { $anchor, $head } }: EditorState): Left {
  const id = String($head.parent.attrs['id']);
  return { id, text: $head.parent.textContent, anchor: $anchor.parentOffset, head: $head.parentOffset };
}

/** Null unless the block says again what it said. */
function inWords(doc: Node, { id, text, anchor, head }: Left): TextSelection | null {
  const index = indexOfId(doc, id);
  if (index < 0 || doc.child(index).textContent !== text) return null;
  const start = positionOf(doc, index) + 1;
  return TextSelection.create(doc, start + anchor, start + head);
}

/** `isRedrawn`: whether the block behind a place was drawn anew; where not, the letters' own places are exact. */
function followed(
  { doc, selection }: EditorState,
  after: EditorState,
  isRedrawn: (at: number) => boolean,
): TextSelection | BlockSelection | null {
  if (selection instanceof BlockSelection) {
    const { from, to } = selection.blocks;
    const places = Array.from({ length: to - from }, (_, at) => indexOfId(after.doc, doc.child(from + at).attrs['id']));
    const first = places[0] ?? -1;
    const isWhole = first >= 0 && places.every((place, at) => place === first + at);
    if (!isWhole || isSame(after, { from: first, to: first + places.length })) return null;
    const last = first + places.length - 1;
    const isForward = selection.anchor <= selection.head;
    return BlockSelection.between(after.doc, isForward ? first : last, isForward ? last : first);
  }
  const { $anchor, $head } = selection;
  if (!(selection instanceof TextSelection) || $head.depth !== 1 || !$anchor.sameParent($head)) return null;
  const id: unknown = $head.parent.attrs['id'];
  if (typeof id !== 'string' || !isRedrawn($head.before(1))) return null;
  const index = indexOfId(after.doc, id);
  const node = index < 0 ? null : after.doc.child(index);
  if (node === null || !node.isTextblock) return null;
  const change = textChange($head.parent.textContent, node.textContent);
  const start = positionOf(after.doc, index) + 1;
  const place = (offset: number) => start + Math.min(mapIndex(offset, change), node.content.size);
  return TextSelection.create(after.doc, place($anchor.parentOffset), place($head.parentOffset));
}

const isSame = ({ selection }: EditorState, { from, to }: Blocks): boolean =>
  selection instanceof BlockSelection && selection.blocks.from === from && selection.blocks.to === to;

function indexOfId(doc: Node, id: unknown): number {
  for (let index = 0; index < doc.childCount; index++) {
    if (typeof id === 'string' && doc.child(index).attrs['id'] === id) return index;
  }
  return -1;
}
