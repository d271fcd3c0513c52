// The marks of the threads in an editor: follows the edits of the page, and reads where the words are from its document.
import type { Editor } from '@tiptap/core';
import { NodeSelection, Selection, type Transaction } from '@tiptap/pm/state';
import { DecorationSet } from '@tiptap/pm/view';
import { AnchorIndex } from 'weft-document/comments/anchor-index.ts';
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { newThreadId } from '../../protocol/new-ids.ts';
import { isMac } from '../../ui/controls/key-caps.tsx';
import { bindingOf, comesFromDocument } from '../binding/binding-of.ts';
import { runAfterDraws } from '../binding/frame-batch.ts';
import { readDomSelection } from '../binding/fresh-selection.ts';
import { revealBlock, revealPosition } from '../blocks/reveal-position.ts';
import { anchorOfSelection } from './anchor-of-selection.ts';
import type { CommentMarks, CommentPlace, MarkedThread } from './comment-marks.ts';
import { commentMarksKey } from './comment-plugin.ts';
import { MovedThreads } from './moved-threads.ts';
import { onPageKeys } from './page-keys.ts';
import { PLACED, threadAt, watchThreadAtCaret } from './thread-at-caret.ts';
import { type MarkId, drawThreads, isSameDrawing, markOf } from './thread-marks.ts';
import { firstMarks, placesOf } from './thread-places.ts';
import './comments.css';

type EditorOfPage = {
  readonly editor: Editor;
  readonly doc: Y.Doc;
  readonly historyBeganAt: number;
  /** Runs once the whole page is drawn. */
  readonly whenWhole: (run: () => void) => Cancel;
};

export const commentMarksOf = onePer((page: EditorOfPage): CommentMarks => new EditorComments(page));

/**
 * After an edit the marks have moved with it already. Where the words are is read again once no edit has come for this time: that
 * finds words that came back, and what the editor took for another edit than it was.
 */
const QUIET_MS = 250;
/**
 * While edit follows edit, it is read at least this often. A composition that must not be drawn over is tried again
 * after it.
 */
const MAX_WAIT_MS = 1_000;
/** Places are reported after scrolling has paused for this time. */
const SCROLLED_MS = 100;

class EditorComments implements CommentMarks {
  readonly #editor: Editor;
  readonly #historyBeganAt: number;
  readonly #index: AnchorIndex;
  readonly #moved = new MovedThreads();
  readonly #placed = new Subscribable();
  readonly #activated = new Set<(thread: ThreadId | null) => void>();
  #threads: readonly MarkedThread[] = [];
  #draft: Anchor | null = null;
  /** The draft's id in the index. */
  readonly #draftId = newThreadId();
  #active: ThreadId | null = null;
  /** The marks are to be drawn anew, even if all words are where they were. */
  #isOutdated = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scrollTimer: ReturnType<typeof setTimeout> | undefined;
  /** Since when the timer waits. */
  #waitsSince: number | null = null;
  #stopRefresh: Cancel | null = null;
  #stopNotify: Cancel | null = null;

  constructor({ editor, doc, historyBeganAt, whenWhole }: EditorOfPage) {
    this.#editor = editor;
    this.#historyBeganAt = historyBeganAt;
    this.#index = new AnchorIndex(doc, (moved) => this.#moved.add({ ...moved, anchor: this.#dated(moved.anchor) }));
    const resized = new ResizeObserver(this.#notifySoon);
    // A long page grows slice by slice as it is drawn, and measuring each time would lay it out each time.
    whenWhole(() => resized.observe(editor.view.dom));
    document.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    editor.on('transaction', this.#onTransaction);
    const stopCaret = watchThreadAtCaret(editor, this.#activate);
    const stopKeys = onPageKeys(editor, { 'Alt-ArrowDown': () => this.#step(1), 'Alt-ArrowUp': () => this.#step(-1) });
    editor.on('destroy', () => {
      resized.disconnect();
      document.removeEventListener('scroll', this.#onScroll, { capture: true });
      clearTimeout(this.#scrollTimer);
      stopCaret();
      stopKeys();
      clearTimeout(this.#timer);
      this.#index.destroy();
      this.#moved.destroy();
      this.#stopRefresh?.();
      this.#stopNotify?.();
    });
  }

  readonly show = (threads: readonly MarkedThread[]): void => {
    this.#threads = threads;
    this.#moved.settle(threads);
    this.#readAnchors();
  };

  readonly setActive = (thread: ThreadId | null): void => {
    if (this.#active === thread) return;
    this.#active = thread;
    this.#redraw();
  };

  readonly setDraft = (anchor: Anchor | null): void => {
    this.#draft = anchor;
    this.#readAnchors();
  };

  readonly anchorOfSelection = (): Anchor | null => {
    const anchor = anchorOfSelection(this.#editor);
    return anchor === null ? null : this.#dated(anchor);
  };

  readonly threadAtCaret = (): ThreadId | null => {
    const { view, state } = this.#editor;
    return view.hasFocus() && state.selection.empty ? threadAt(state) : null;
  };

  readonly places = (): ReadonlyMap<MarkId, CommentPlace> =>
    placesOf(
      this.#editor,
      this.#all().map(({ id }) => id),
      this.#foundOf,
    );

  readonly subscribe = this.#placed.subscribe;

  readonly reveal = (thread: MarkId): boolean => {
    const mark = firstMarks(this.#editor).get(thread);
    if (mark === undefined) return false;
    if (mark.kind === 'block') revealBlock(this.#editor, mark.from);
    else revealPosition(this.#editor, mark.from);
    return true;
  };

  readonly focus = (thread: MarkId): boolean => {
    const { view, isEditable } = this.#editor;
    const mark = firstMarks(this.#editor).get(thread);
    if (mark !== undefined) {
      const { doc, tr } = view.state;
      const $from = doc.resolve(mark.from);
      const isNode = mark.kind === 'block' && $from.nodeAfter !== null && NodeSelection.isSelectable($from.nodeAfter);
      const selection = isNode ? NodeSelection.create(doc, mark.from) : Selection.near($from);
      view.dispatch(tr.setSelection(selection).setMeta(commentMarksKey, PLACED));
    } else if (thread !== 'draft') return false;
    // Sets the browser's selection at once: after the focus alone it follows 20 ms later, and a key may come before that.
    if (isEditable) view.focus();
    else {
      // A text that may only be read takes the focus by code alone.
      view.dom.tabIndex = -1;
      view.dom.focus({ preventScroll: true });
    }
    return mark === undefined || this.reveal(thread);
  };

  readonly onActivate = (run: (thread: ThreadId | null) => void): Cancel => {
    this.#activated.add(run);
    return () => void this.#activated.delete(run);
  };

  readonly onMoved = this.#moved.onMoved;

  readonly #activate = (thread: ThreadId | null): void => {
    for (const run of this.#activated) run(thread);
  };

  /** Goes to the next or previous thread, from the last to the first. */
  #step(by: 1 | -1): boolean {
    const marks = Array.from(firstMarks(this.#editor).values(), ({ id, from }) => ({ id, from }));
    const threads = marks.filter((mark): mark is { id: ThreadId; from: number } => mark.id !== 'draft');
    const active = threads.findIndex(({ id }) => id === this.#active);
    // On a Mac these keys move the caret by paragraphs.
    if (threads.length === 0 || (active < 0 && isMac())) return false;
    const { head } = this.#editor.state.selection;
    const before = threads.filter(({ from }) => from < head).length;
    const next = active >= 0 ? active + by : by === 1 ? before : before - 1;
    const { id } = threads.at(next % threads.length) ?? {};
    if (id === undefined) return false;
    this.focus(id);
    this.#activate(id);
    return true;
  }

  /** The server must know which history an anchor is from: words may be erased from it before the anchor is sent. */
  #dated(anchor: Anchor): Anchor {
    return anchor.kind === 'page' || this.#historyBeganAt === 0 ? anchor : { ...anchor, history: this.#historyBeganAt };
  }

  #all(): readonly { readonly id: MarkId; readonly anchor: Anchor }[] {
    return this.#draft === null ? this.#threads : [...this.#threads, { id: 'draft', anchor: this.#draft }];
  }

  #idOf(id: MarkId): ThreadId {
    return id === 'draft' ? this.#draftId : id;
  }

  readonly #foundOf = (id: MarkId): FoundAnchor => this.#index.get(this.#idOf(id));

  #readAnchors(): void {
    this.#index.set(this.#all().map(({ id, anchor }) => ({ id: this.#idOf(id), anchor })));
    this.#redraw();
  }

  #redraw(): void {
    this.#isOutdated = true;
    this.#refresh();
  }

  readonly #onTransaction = ({ transaction }: { transaction: Transaction }): void => {
    if (!transaction.docChanged || this.#all().length === 0) return;
    // Of others' edits the editor sees only what is different, and may take one of two equal characters for the other.
    if (comesFromDocument(transaction)) this.#isOutdated = true;
    // Words that are moved are taken out first. In the frame that shows it they must have their mark again.
    if (commentMarksKey.getState(this.#editor.state)?.isIncomplete === true) {
      this.#stopRefresh ??= runAfterDraws(this.#refresh);
      return;
    }
    const now = performance.now();
    this.#waitsSince ??= now;
    clearTimeout(this.#timer);
    const ms = Math.min(QUIET_MS, this.#waitsSince + MAX_WAIT_MS - now);
    this.#timer = setTimeout(() => {
      this.#refresh();
      // Words that did not move may be in another line. Someone who types on gets this later: to measure it takes milliseconds.
      if (ms === QUIET_MS) this.#notifySoon();
    }, ms);
  };

  /** Reads where the words are, and draws what is different. */
  readonly #refresh = (): void => {
    this.#stopRefresh?.();
    this.#stopRefresh = null;
    clearTimeout(this.#timer);
    this.#waitsSince = null;
    const { view, state, isDestroyed } = this.#editor;
    const binding = isDestroyed ? null : bindingOf(state);
    // A page that is behind the document is drawn next, which is another transaction.
    if (binding === null || binding.nodes.syncedPage !== state.doc) return;
    // The browser would give up a composition whose text is drawn anew.
    if (view.composing) {
      this.#timer = setTimeout(this.#refresh, MAX_WAIT_MS);
      return;
    }
    const held = commentMarksKey.getState(state);
    const isMoved = this.#index.update();
    if (!isMoved && !this.#isOutdated && held?.isIncomplete !== true) return;
    this.#isOutdated = false;
    this.#notifySoon();
    const marks = this.#all().flatMap(({ id }) => markOf(id, this.#foundOf(id), binding, state.doc) ?? []);
    const set = drawThreads(state.doc, marks, this.#active);
    if (held?.isIncomplete === true || !isSameDrawing(set, held?.set ?? DecorationSet.empty)) {
      readDomSelection(view);
      // The selection may be another one by now.
      view.dispatch(view.state.tr.setMeta(commentMarksKey, set));
    }
  };

  /** Places far outside of the window are not exact, so they are asked for again. */
  readonly #onScroll = (): void => {
    clearTimeout(this.#scrollTimer);
    if (this.#all().length > 0) this.#scrollTimer = setTimeout(this.#notifySoon, SCROLLED_MS);
  };

  readonly #notifySoon = (): void => {
    this.#stopNotify ??= runAfterDraws(() => {
      this.#stopNotify = null;
      this.#placed.notify();
    });
  };
}
