// Where the threads of a page are: their order, and how far down.
import type { Editor } from '@tiptap/core';
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import { boxAt } from '../blocks/box-at.ts';
import { visiblePosition } from '../blocks/folding.ts';
import type { CommentPlace } from './comment-marks.ts';
import { type MarkId, type ThreadMark, threadMarksIn } from './thread-marks.ts';

/** The first mark of each thread, in the order of the text. */
export function firstMarks({ state }: Editor): ReadonlyMap<MarkId, ThreadMark> {
  const marks = new Map<MarkId, ThreadMark>();
  for (const mark of threadMarksIn(state).toSorted((a, b) => a.from - b.from))
    if (!marks.has(mark.id)) marks.set(mark.id, mark);
  return marks;
}

/** `foundOf`: where the words are in the document, which may be more than is drawn. */
export function placesOf(
  editor: Editor,
  ids: readonly MarkId[],
  foundOf: (id: MarkId) => FoundAnchor,
): ReadonlyMap<MarkId, CommentPlace> {
  const marks = firstMarks(editor);
  const column = (editor.view.dom.closest('.page-column') ?? editor.view.dom).getBoundingClientRect().top;
  const ofPage = ids.filter((id) => foundOf(id).at === 'page');
  const inOrder = new Set([...ofPage, ...marks.keys(), ...ids]);
  return new Map(
    Array.from(inOrder, (id, order) => {
      const mark = marks.get(id);
      const top = mark === undefined ? null : topOf(editor, mark);
      const isGone = (mark?.kind ?? foundOf(id).at) === 'gone';
      return [id, { top: ofPage.includes(id) ? 0 : top === null ? null : Math.round(top - column), order, isGone }];
    }),
  );
}

/**
 * In px from the top of the window. Of words far outside of it, the top of their block: the browser lays out the lines of a block only
 * when it comes near the window, unless someone asks.
 */
function topOf(editor: Editor, { kind, from }: ThreadMark): number | null {
  const { view, state } = editor;
  const isFolded = visiblePosition(state, from) !== from;
  const $from = state.doc.resolve(from);
  const element = isFolded ? null : view.nodeDOM($from.depth === 0 ? from : $from.before(1));
  const box = element instanceof Element ? element.getBoundingClientRect() : null;
  const isFar = box !== null && (box.bottom < -innerHeight || box.top > 2 * innerHeight);
  return box !== null && (kind === 'block' || isFar) ? box.top : (boxAt(editor, from, 1)?.top ?? null);
}
