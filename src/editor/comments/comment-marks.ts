// The threads of comments in the text, as the rest of the app uses them. `editor-comments.ts` implements
// `CommentMarks`, and loads after the text, for people who may read comments.
import type { Cancel } from '../../lib/cancel.ts';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';

export type MarkedThread = { readonly id: ThreadId; readonly anchor: Anchor };

export type CommentPlace = {
  /** Pixels from the top of the page's column. If the words are nowhere: where they were; null if not even that is known. */
  readonly top: number | null;
  /** The place in the order of the text, from 0. Threads about the page are first, those without any place last. */
  readonly order: number;
  readonly isGone: boolean;
};

export interface CommentMarks {
  /**
   * Marks these threads and no others. Also call it when cards appear or go: the words refer, with `aria-details`, to the
   * cards that are on the screen (`idOfCard`).
   */
  readonly show: (threads: readonly MarkedThread[]) => void;
  readonly setActive: (thread: ThreadId | null) => void;
  /** Marks what a new thread will be about. */
  readonly setDraft: (anchor: Anchor | null) => void;
  /** Of the selected words; without any, of the block at the caret, which may get an id. Null if there is no anchor. */
  readonly anchorOfSelection: () => Anchor | null;
  /** The thread of the words with the caret; null if words are selected, or something else has the focus. */
  readonly threadAtCaret: () => ThreadId | null;
  /** Of words more than a window away, `top` is that of their block. */
  readonly places: () => ReadonlyMap<ThreadId | 'draft', CommentPlace>;
  /** Runs after places may have changed, at most once per frame. */
  readonly subscribe: (run: () => void) => Cancel;
  /**
   * Scrolls to the words, or to where they were, unless that can be seen. The caret and the focus stay. False if the
   * thread has no place in the text.
   */
  readonly reveal: (thread: ThreadId | 'draft') => boolean;
  /**
   * The same, with the focus and the caret there. For a draft without a place, the text gets the focus and the caret
   * stays.
   */
  readonly focus: (thread: ThreadId | 'draft') => boolean;
  /** The thread of the words that were clicked, or that the caret moved into; null after it left them. */
  readonly onActivate: (run: (thread: ThreadId | null) => void) => Cancel;
  /** The words of a thread stand elsewhere now, in new characters. `known`: the anchor that it had. */
  readonly onMoved: (run: (thread: ThreadId, anchor: Anchor, known: Anchor) => void) => Cancel;
}
