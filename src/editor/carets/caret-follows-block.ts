// Keeps your caret with its text when someone else moves, splits or joins the block it is in, and keeps selected blocks
// selected. A moved block is a copy with the same id and text. After a split or join the text is in another block, and
// the caret follows it there.
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { type EditorState, Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { mapIndex, textChange } from 'weft-document/title.ts';
import { comesFromDocument } from '../binding/binding-of.ts';
import { BlockSelection, type Blocks, positionOf } from '../blocks/block-selection.ts';
import { selectionInMovedCell } from './caret-follows-cell.ts';

/**
 * The caret before someone moved its block, and the block's text then: it may have characters that the mover had not
 * seen.
 */
type CaretInText = {
  /** The block's id; null for a cell: the caret is in its copy. */
  readonly id: string | null;
  readonly text: string;
  readonly anchor: number;
  readonly head: number;
};

/**
 * Characters at the caret that the person who split the block (`id`) had not seen: they stayed in its first half, and
 * belong in the second (`next`) at the offset `at`.
 */
type UnseenCharacters = { readonly id: string; readonly next: string; readonly text: string; readonly at: number };

/** Characters older than this have most likely reached everyone who is online. */
const IN_FLIGHT_MS = 5_000;
/** At most this many unseen characters are looked for. */
const MAX_UNSEEN = 200;

export function caretFollowsBlock(): Plugin {
  let caretBefore: CaretInText | null = null;
  let typedAt = -Infinity;
  let unseen: UnseenCharacters | null = null;
  return new Plugin({
    view: () => ({
      update(view) {
        if (unseen === null) return;
        // Runs as a local edit, after the remote edits are applied.
        const characters = unseen;
        unseen = null;
        queueMicrotask(() => moveUnseenCharacters(view, characters));
      },
    }),
    appendTransaction(transactions, before, after) {
      if (!transactions.some((one) => one.docChanged && comesFromDocument(one))) {
        if (transactions.some(({ docChanged }) => docChanged)) typedAt = performance.now();
        if (transactions.some((one) => one.selectionSet || one.docChanged)) caretBefore = null;
        return null;
      }
      // The relocated text is back, so the caret returns to the same character.
      const returned = caretBefore === null ? null : selectionInText(after, caretBefore);
      if (returned !== null) {
        caretBefore = null;
        return after.tr.setSelection(returned);
      }
      const isRedrawn = (at: number) => {
        let position = at;
        for (const { mapping } of transactions) {
          const { pos, deletedAfter } = mapping.mapResult(position, 1);
          if (deletedAfter) return true;
          position = pos;
        }
        return false;
      };
      unseen = performance.now() - typedAt < IN_FLIGHT_MS ? unseenCharactersOf(before, after) : null;
      const selection = followedSelection(before, after, isRedrawn);
      if (selection === null) return null;
      // It may be moved again before the characters are back.
      caretBefore = selection instanceof TextSelection ? (caretBefore ?? caretInText(before)) : null;
      return selection.eq(after.selection) ? null : after.tr.setSelection(selection);
    },
  });
}

function caretInText({ selection: { $anchor, $head } }: EditorState): CaretInText {
  const id: unknown = $head.parent.attrs['id'];
  return {
    id: typeof id === 'string' ? id : null,
    text: $head.parent.textContent,
    anchor: $anchor.parentOffset,
    head: $head.parentOffset,
  };
}

/** Null unless the block or cell has the same text again. */
function selectionInText(
  { doc, selection }: EditorState,
  { id, text, anchor, head }: CaretInText,
): TextSelection | null {
  const { $head } = selection;
  const index = id === null ? $head.index(0) : indexOfId(doc, id);
  const holder = id === null ? $head.parent : doc.maybeChild(index);
  if (holder?.textContent !== text) return null;
  const start = id === null ? $head.start() : positionOf(doc, index) + 1;
  return TextSelection.create(doc, start + anchor, start + head);
}

/**
 * The selection where its text or blocks are now; null if the mapped one is right, or nothing better is known.
 * `isRedrawn` says whether the block at a position was redrawn. If not, and no text went elsewhere, the mapped position
 * is exact.
 */
function followedSelection(
  before: EditorState,
  after: EditorState,
  isRedrawn: (at: number) => boolean,
): TextSelection | BlockSelection | null {
  const { doc, selection } = before;
  if (selection instanceof BlockSelection) {
    const { from, to } = selection.blocks;
    const ids = doc.children.slice(from, to).map(({ attrs }): unknown => attrs['id']);
    const first = indexOfId(after.doc, ids[0]);
    // Compared in their order: to look for each of them would take seconds with a long page selected.
    const isWhole =
      first >= 0 && ids.every((id, at) => id !== null && after.doc.maybeChild(first + at)?.attrs['id'] === id);
    if (!isWhole || isSame(after, { from: first, to: first + ids.length })) return null;
    const last = first + ids.length - 1;
    const { isForward } = selection;
    return BlockSelection.between(after.doc, isForward ? first : last, isForward ? last : first);
  }
  const inCell = selectionInMovedCell(before, after);
  if (inCell !== null) return inCell;
  const { $anchor, $head } = selection;
  if (!(selection instanceof TextSelection) || $head.depth !== 1 || !$anchor.sameParent($head)) return null;
  const id: unknown = $head.parent.attrs['id'];
  if (typeof id !== 'string') return null;
  const isBlockRedrawn = isRedrawn($head.before(1));
  if (!isBlockRedrawn && after.selection.$head.parent === $head.parent) return null;
  const index = indexOfId(after.doc, id);
  const [anchor = null, head = null] = [$anchor, $head].map(($at) => positionElsewhere(doc, after.doc, $at, index));
  if (head !== null) return TextSelection.create(after.doc, anchor ?? head, head);
  const node = index < 0 || !isBlockRedrawn ? null : after.doc.child(index);
  if (node === null || !node.isTextblock) return null;
  const change = textChange($head.parent.textContent, node.textContent);
  const start = positionOf(after.doc, index) + 1;
  const positionAt = (offset: number) => start + Math.min(mapIndex(offset, change), node.content.size);
  return TextSelection.create(after.doc, positionAt($anchor.parentOffset), positionAt($head.parentOffset));
}

/**
 * The position of text that moved into another block; null if it did not. `index` is the current index of its block.
 */
function positionElsewhere(before: Node, after: Node, $at: ResolvedPos, index: number): number | null {
  return index < 0 ? positionAfterJoin(before, after, $at) : positionAfterSplit(before, after, $at, index);
}

/** The text that is missing from the block is in new blocks after it, in order. */
function positionAfterSplit(
  before: Node,
  after: Node,
  { parent, parentOffset }: ResolvedPos,
  index: number,
): number | null {
  const oldText = parent.textContent;
  const change = textChange(oldText, after.child(index).textContent);
  let rest = oldText.slice(change.index, change.index + change.remove);
  let offset = parentOffset - change.index;
  if (offset <= 0 || offset > rest.length) return null;
  for (let at = index + 1; at < after.childCount; at++) {
    const block = after.child(at);
    const words = block.textContent;
    if (!block.isTextblock || indexOfId(before, block.attrs['id']) >= 0) return null;
    const part = words.startsWith(rest) ? rest : words;
    if (!rest.startsWith(part)) return null;
    if (offset <= part.length) return positionOf(after, at) + 1 + offset;
    rest = rest.slice(part.length);
    offset -= part.length;
  }
  return null;
}

/**
 * Null unless the last characters before the caret stayed, while the text on both sides of them went into a new block.
 */
function unseenCharactersOf({ doc, selection }: EditorState, after: EditorState): UnseenCharacters | null {
  const { $head, empty } = selection;
  const id: unknown = $head.depth === 1 ? $head.parent.attrs['id'] : null;
  if (!empty || typeof id !== 'string' || after.selection.$head.parent === $head.parent) return null;
  const index = indexOfId(after.doc, id);
  const next = index < 0 ? null : after.doc.maybeChild(index + 1);
  if (next == null || !next.isTextblock || indexOfId(doc, next.attrs['id']) >= 0) return null;
  const [oldText, first, second] = [$head.parent.textContent, after.doc.child(index).textContent, next.textContent];
  const caret = $head.parentOffset;
  for (let length = 1; length <= Math.min(MAX_UNSEEN, first.length, caret); length++) {
    const restLength = first.length - length;
    const text = oldText.slice(caret - length, caret);
    const isMoved = second === oldText.slice(restLength, caret - length) + oldText.slice(caret);
    if (isMoved && caret - length > restLength && first === oldText.slice(0, restLength) + text) {
      return { id, next: String(next.attrs['id']), text, at: caret - length - restLength };
    }
  }
  return null;
}

/** Moves these characters, and the caret, back to the end of the text that they were typed after. */
function moveUnseenCharacters(view: EditorView, { id, next, text, at }: UnseenCharacters): void {
  if (view.isDestroyed || !view.editable) return;
  const { doc, tr } = view.state;
  const [from, to] = [indexOfId(doc, id), indexOfId(doc, next)];
  const first = from < 0 ? null : doc.child(from);
  if (first === null || to < 0 || !first.textContent.endsWith(text) || at > doc.child(to).content.size) return;
  const end = positionOf(doc, from) + 1 + first.content.size;
  const characters = doc.slice(end - text.length, end);
  tr.insert(positionOf(doc, to) + 1 + at, characters.content);
  tr.delete(end - text.length, end);
  const caret = tr.mapping.map(positionOf(doc, to) + 1 + at, 1);
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, caret)));
}

/** Null unless the block above the one that is gone gained its text, or most of it. */
function positionAfterJoin(before: Node, after: Node, $at: ResolvedPos): number | null {
  const { parent, parentOffset } = $at;
  const above = $at.index(0) === 0 ? null : before.child($at.index(0) - 1);
  const index = above === null ? -1 : indexOfId(after, above.attrs['id']);
  if (above === null || index < 0 || !after.child(index).isTextblock) return null;
  const given = textChange(above.textContent, after.child(index).textContent);
  const oldText = parent.textContent;
  const change = textChange(oldText, given.insert);
  if (oldText === '' || change.remove > oldText.length / 2) return null;
  return positionOf(after, index) + 1 + given.index + mapIndex(parentOffset, change);
}

const isSame = ({ selection }: EditorState, { from, to }: Blocks): boolean =>
  selection instanceof BlockSelection && selection.blocks.from === from && selection.blocks.to === to;

function indexOfId(doc: Node, id: unknown): number {
  for (let index = 0; index < doc.childCount; index++) {
    if (typeof id === 'string' && doc.child(index).attrs['id'] === id) return index;
  }
  return -1;
}
