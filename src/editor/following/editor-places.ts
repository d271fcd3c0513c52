// Places in the editor's text for those who follow someone: where a person's caret is, and where this person is.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { type Place, parsePlace } from 'weft-sync/protocol/place.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { positionOf } from '../blocks/block-selection.ts';
import { boxAt } from '../blocks/box-at.ts';
import type { CaretLayer } from '../carets/caret-layer.ts';
import type { RemoteCaret } from '../carets/remote-carets.ts';
import { headingsOf } from '../outline/headings.ts';
import type { PlaceBox } from './keep-in-view.ts';

export type EditorPlaces = {
  /** The editable text. */
  readonly content: Element;
  /** Null while this person has no caret here. */
  readonly caretBox: (user: UserId) => PlaceBox | null;
  /** Null if the block is not on this page. */
  readonly boxOf: (place: Place) => PlaceBox | null;
  /** The heading above a person's caret; null without a caret, `''` above the first heading. */
  readonly headingOf: (user: UserId) => string | null;
  /** The people with a caret, first who moved last. */
  readonly recent: () => readonly UserId[];
  /**
   * The caret if it is on the screen, otherwise the text a third from the top of the window. Null if no block there or
   * above has an id.
   */
  readonly own: () => Place | null;
  /** The name at this person's caret stays; null: at no one's. */
  readonly showName: (user: UserId | null) => void;
  /** Runs after each change of the text, of the selection or of someone's caret. */
  readonly subscribe: (run: () => void) => Cancel;
};

export function editorPlaces(editor: Editor, carets: CaretLayer): EditorPlaces {
  const { view } = editor;
  const recentCarets = () => carets.read().toSorted((a, b) => b.movedAt - a.movedAt);
  const caretOf = (user: UserId) => recentCarets().find((caret) => caret.user === user) ?? null;
  return {
    content: view.dom,
    caretBox(user) {
      const caret = caretOf(user);
      return caret === null ? null : boxAt(editor, caret.head, -1);
    },
    boxOf(place) {
      const at = positionOfPlace(view.state.doc, place);
      return at === null ? null : boxAt(editor, at, -1);
    },
    headingOf(user) {
      const caret = caretOf(user);
      if (caret === null) return null;
      return headingsOf(editor).findLast(({ at }) => at <= caret.head)?.text ?? '';
    },
    recent: () => [...new Set(recentCarets().map(({ user }: RemoteCaret) => user))],
    own() {
      const { head } = view.state.selection;
      // Without the focus too: it is in the page's menu when a presentation begins.
      const box = boxAt(editor, head, -1);
      const isVisible = box !== null && box.bottom > COVERED_PX && box.top < window.innerHeight;
      return placeAt(view.state.doc, isVisible ? head : readingPosition(editor));
    },
    showName: (user) => carets.showName(user),
    subscribe(run) {
      editor.on('transaction', run);
      const stop = carets.subscribe(run);
      return () => {
        editor.off('transaction', run);
        stop();
      };
    },
  };
}

/** The height of the bar above the page. */
const COVERED_PX = 48;
/** A followed place goes there, so a presenter's place is read there. */
const READING = 1 / 3;
/** Into the line there: above it is the gap between two blocks. */
const INTO_LINE_PX = 8;

function readingPosition({ view }: Editor): number | null {
  const text = view.dom.getBoundingClientRect();
  const top = Math.min(Math.max(window.innerHeight * READING + INTO_LINE_PX, text.top + 1), text.bottom - 1);
  const found = view.posAtCoords({ left: text.left + 1, top });
  return found?.pos ?? null;
}

/** An older block has no id until it is edited: then the place is the nearest block above it that has one. */
export function placeAt(doc: Node, at: number | null): Place | null {
  if (at === null) return null;
  const $at = doc.resolve(Math.min(at, doc.content.size));
  const index = Math.min($at.index(0), doc.childCount - 1);
  for (let above = index; above >= 0; above--) {
    const block = parsePlace({ block: doc.child(above).attrs['id'], offset: 0 });
    if (block === null) continue;
    if (above < index || $at.depth === 0) return block;
    return { ...block, offset: doc.textBetween(positionOf(doc, index), $at.pos).length };
  }
  return null;
}

/** A place behind the end of a block that got shorter is its end. */
export function positionOfPlace(doc: Node, { block, offset }: Place): number | null {
  const index = doc.children.findIndex(({ attrs }) => attrs['id'] === block);
  const node = doc.maybeChild(index);
  if (node === null || index < 0) return null;
  const start = positionOf(doc, index);
  if (!node.isTextblock && node.childCount === 0) return start;
  let left = offset;
  let found: number | null = null;
  let last = start + 1;
  node.descendants((child, at) => {
    if (found !== null || !child.isText) return found === null;
    if (left <= child.nodeSize) found = start + 1 + at + left;
    left -= child.nodeSize;
    last = start + 1 + at + child.nodeSize;
    return false;
  });
  return found ?? last;
}
