// Saves the selection and scroll position of an editor and restores them in a new editor that shows another document of
// the same page: the session rebuilds the document when words that it showed must go, because their author may no longer
// write (rule L6 in src/sync/SPEC.md). While typing, the user should notice only that these words are gone.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { AllSelection, type EditorState, NodeSelection, Selection, TextSelection } from '@tiptap/pm/state';
import { mapIndex, textChange } from 'weft-document/title.ts';
import * as Y from 'yjs';
import { scrollerOf } from '../../ui/browser/scroller-of.ts';
import { bindingOf } from './binding-of.ts';
import { readDomSelection } from './fresh-selection.ts';
import { toAbsolutePosition, toRelativePosition } from './page-positions.ts';

/** One end of a selection. */
type SelectionEnd = {
  /** Exact, if the character after it is in the new document too. */
  readonly relative: unknown;
  /** Otherwise: the offset in its block's text, or the end of the nearest block above that still exists. */
  readonly offset: number;
  readonly text: string;
  /** The ids of its block and of those above it, the nearest first. */
  readonly ids: readonly unknown[];
};

/** The block or caret line that keeps its place on the screen while a new editor replaces the old one. */
type ScrollAnchor = { readonly id: unknown; readonly isCaret: boolean; readonly top: number };

export type ViewPosition = {
  readonly hasFocus: boolean;
  readonly kind: 'text' | 'node' | 'all';
  readonly anchor: SelectionEnd;
  readonly head: SelectionEnd;
  readonly scrollAnchor: ScrollAnchor | null;
};

export function saveViewPosition(editor: Editor): ViewPosition {
  const { view } = editor;
  // A caret that the browser moved a moment ago: the event that reports it would come after this editor is gone.
  readDomSelection(view);
  const { state } = editor;
  const { selection } = state;
  const kind =
    selection instanceof AllSelection ? 'all' : selection instanceof NodeSelection ? 'node' : ('text' as const);
  const hasFocus = view.hasFocus();
  const anchor = saveEnd(state, selection.anchor);
  const head = saveEnd(state, selection.head);
  return { hasFocus, kind, anchor, head, scrollAnchor: saveScrollAnchor(view, hasFocus) };
}

export function restoreViewPosition(
  { view }: Editor,
  { hasFocus, kind, anchor, head, scrollAnchor }: ViewPosition,
): void {
  const selection = selectionIn(view.state, kind, restoreEnd(view.state, anchor), restoreEnd(view.state, head));
  view.dispatch(view.state.tr.setSelection(selection));
  if (hasFocus && view.editable) view.focus();
  if (scrollAnchor !== null) restoreScroll(view, scrollAnchor);
}

function saveEnd(state: EditorState, at: number): SelectionEnd {
  const { doc } = state;
  const binding = bindingOf(state);
  const $at = doc.resolve(at);
  const index = $at.index(0);
  const ids: unknown[] = [];
  for (let i = Math.min(index, doc.childCount - 1); i >= 0; i -= 1) ids.push(idOf(doc.child(i)));
  let relative: unknown = null;
  try {
    if (binding !== null) relative = toRelativePosition(binding, doc, at);
  } catch {
    // The mapping is behind the document in the middle of a merge.
  }
  return { relative, offset: $at.parentOffset, text: $at.depth === 0 ? '' : $at.parent.textContent, ids };
}

function restoreEnd(state: EditorState, { relative, offset, text, ids }: SelectionEnd): number {
  const exact = relative === null ? null : exactPosition(state, relative);
  if (exact !== null) return Math.min(exact, state.doc.content.size);
  const blocks = blocksById(state.doc);
  for (const [above, id] of ids.entries()) {
    const found = blocks.get(id);
    if (found === undefined) continue;
    const { at, node } = found;
    if (!node.isTextblock) return at;
    const inside = above === 0 ? mapIndex(offset, textChange(text, node.textContent)) : node.content.size;
    return at + 1 + Math.min(inside, node.content.size);
  }
  return Selection.atStart(state.doc).from;
}

/** Null if the character at that position is not in this document. */
function exactPosition(state: EditorState, relative: unknown): number | null {
  const binding = bindingOf(state);
  if (binding === null) return null;
  try {
    const position = Y.createRelativePositionFromJSON(relative);
    return toAbsolutePosition(binding, state.doc, position);
  } catch {
    return null;
  }
}

function selectionIn({ doc }: EditorState, kind: ViewPosition['kind'], anchor: number, head: number): Selection {
  if (kind === 'all') return new AllSelection(doc);
  const node = kind === 'node' ? doc.nodeAt(anchor) : null;
  if (node !== null && NodeSelection.isSelectable(node)) return NodeSelection.create(doc, anchor);
  return TextSelection.between(doc.resolve(anchor), doc.resolve(head));
}

/** The caret's line if it is visible, otherwise the first visible block. */
function saveScrollAnchor(view: Editor['view'], hasFocus: boolean): ScrollAnchor | null {
  const caret = hasFocus ? view.coordsAtPos(view.state.selection.head).top : -1;
  if (caret >= 0 && caret < window.innerHeight) return { id: null, isCaret: true, top: caret };
  for (const [id, { at }] of blocksById(view.state.doc)) {
    const box = boxOf(view, at);
    if (box !== null && box.bottom > 0) return { id, isCaret: false, top: box.top };
  }
  return null;
}

function restoreScroll(view: Editor['view'], { id, isCaret, top }: ScrollAnchor): void {
  const found = isCaret ? null : blocksById(view.state.doc).get(id);
  if (found === undefined) return;
  const now = found === null ? view.coordsAtPos(view.state.selection.head) : boxOf(view, found.at);
  const scroller = scrollerOf(view.dom);
  if (now !== null && scroller !== null) scroller.scrollTop += now.top - top;
}

function boxOf(view: Editor['view'], at: number): DOMRect | null {
  const node = view.nodeDOM(at);
  return node instanceof Element ? node.getBoundingClientRect() : null;
}

const idOf = (node: Node): unknown => node.attrs['id'];

/** Without the blocks of old apps that have no id. */
function blocksById(doc: Node): ReadonlyMap<unknown, { readonly at: number; readonly node: Node }> {
  const blocks = new Map<unknown, { at: number; node: Node }>();
  doc.forEach((node, at) => {
    const id = idOf(node);
    if (typeof id === 'string') blocks.set(id, { at, node });
  });
  return blocks;
}
