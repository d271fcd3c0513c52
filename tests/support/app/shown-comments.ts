// The comments of a page as the screen gets them, and the marks of its editor: in memory, and a test moves the words.
import { atom } from 'jotai/vanilla';
import type { CommentMarks, CommentPlace, MarkedThread } from '../../../src/editor/comments/comment-marks.ts';
import type { PageTools } from '../../../src/editor/page-tools.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { WritableFiles } from '../../../src/ports/files.ts';
import type { Anchor, CommentBlock } from '../../../src/protocol/comments.ts';
import { type CommentId, type ThreadId, parseCommentId, parseThreadId } from '../../../src/protocol/ids.ts';
import type { CommentsView, PageComments } from '../../../src/state/comments/page-comments.ts';
import type { ShownComment, ShownThread } from '../../../src/state/comments/shown-threads.ts';
import type { AtomStore } from '../../../src/state/store.ts';
import { bob } from './app-fixture.ts';
import { noFiles } from './memory-files.ts';

const uuid = (kind: number, n: number) => `0000000${kind}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('not an id');
  return value;
};
export const threadId = (n: number): ThreadId => required(parseThreadId(uuid(5, n)));
export const commentId = (n: number): CommentId => required(parseCommentId(uuid(6, n)));

export const saying = (...lines: readonly string[]): CommentBlock[] =>
  lines.map((text) => ({ kind: 'paragraph', runs: [{ text }] }));

export const aboutWords = (quote: string): Anchor => ({
  kind: 'text',
  from: 'AA==',
  to: 'AA==',
  block: 'b1',
  quote,
  before: '',
  after: '',
});

export const commentOf = (n: number, text: string, more: Partial<ShownComment> = {}): ShownComment => ({
  id: commentId(n),
  by: bob.id,
  at: n * 1_000,
  editedAt: null,
  body: saying(text),
  change: n,
  reactions: [],
  state: 'saved',
  ...more,
});

/** A thread on the words “words n”. */
export const threadOf = (
  n: number,
  comments: readonly ShownComment[],
  more: Partial<ShownThread> = {},
): ShownThread => ({
  id: threadId(n),
  anchor: aboutWords(`words ${n}`),
  by: bob.id,
  at: n * 1_000,
  resolved: null,
  change: n,
  comments,
  ...more,
});

export function shownComments(
  store: AtomStore,
  threads: readonly ShownThread[],
  more: Partial<CommentsView> = {},
  files: WritableFiles = noFiles,
) {
  const viewAtom = atom<CommentsView>({
    phase: 'ready',
    threads,
    isFresh: true,
    mayComment: true,
    readChange: 1_000,
    ...more,
  });
  /** What was done, with its values. */
  const calls: (readonly unknown[])[] = [];
  const note =
    (name: string) =>
    (...values: readonly unknown[]) =>
      void calls.push([name, ...values]);
  const comments: PageComments = {
    files,
    viewAtom,
    openCountAtom: atom((get) => get(viewAtom).threads.filter(({ resolved }) => resolved === null).length),
    unreadAtom: atom((get) => {
      const view = get(viewAtom);
      const isNew = (thread: ShownThread) => thread.comments.some(({ change }) => change > view.readChange);
      return new Set(view.threads.filter(isNew).map(({ id }) => id));
    }),
    start(about, body) {
      calls.push(['start', about, body]);
      const id = threadId(90);
      set({ threads: [...store.get(viewAtom).threads, { ...threadOf(90, [commentOf(90, '')]), id }] });
      return id;
    },
    reply: note('reply'),
    edit: note('edit'),
    takeOut: note('takeOut'),
    remove: note('remove'),
    resolve: note('resolve'),
    react: note('react'),
    async move(...values) {
      calls.push(['move', ...values]);
    },
    announce: note('announce'),
    discard: note('discard'),
    markRead: note('markRead'),
    refresh: note('refresh'),
  };
  const set = (change: Partial<CommentsView>) => store.set(viewAtom, { ...store.get(viewAtom), ...change });
  return { comments, calls, set };
}

/** Words stand 100 pixels below each other, in the order in which they are marked, unless `tops` says where. */
export function shownMarks(tops: Readonly<Record<string, number | null>> = {}) {
  const changes = new Subscribable();
  const activations = new Set<(thread: ThreadId | null) => void>();
  const asked = new Set<(isByKey: boolean) => void>();
  const moves = new Set<Parameters<CommentMarks['onMoved']>[0]>();
  const seen = {
    shown: [] as readonly MarkedThread[],
    active: null as ThreadId | null,
    draft: null as Anchor | null,
    revealed: [] as (ThreadId | 'draft')[],
    focused: [] as (ThreadId | 'draft')[],
    /** Whether the text has its marks already. */
    isDrawn: true,
    selection: aboutWords('selected words') as Anchor | null,
    atCaret: null as ThreadId | null,
  };
  const marks: CommentMarks = {
    show(threads) {
      seen.shown = threads;
      changes.notify();
    },
    setActive: (thread) => void (seen.active = thread),
    setDraft(anchor) {
      seen.draft = anchor;
      changes.notify();
    },
    anchorOfSelection: () => seen.selection,
    threadAtCaret: () => seen.atCaret,
    places() {
      const places = new Map<ThreadId | 'draft', CommentPlace>();
      const all = [...seen.shown.map(({ id }) => id), ...(seen.draft === null ? [] : ['draft' as const])];
      for (const [at, id] of all.entries()) {
        const top = id in tops ? (tops[id] ?? null) : 100 + at * 100;
        places.set(id, { top, order: at, isGone: top === null });
      }
      return places;
    },
    subscribe: changes.subscribe,
    reveal(thread) {
      const isMarked = seen.isDrawn && [...seen.shown.map(({ id }) => id), 'draft'].includes(thread);
      if (isMarked) seen.revealed.push(thread);
      return isMarked;
    },
    focus: (thread) => seen.focused.push(thread) > 0,
    onActivate(run) {
      activations.add(run);
      return () => void activations.delete(run);
    },
    onMoved(run) {
      moves.add(run);
      return () => void moves.delete(run);
    },
  };
  const tools: Pick<PageTools, 'comments' | 'onComment'> = {
    comments: async () => marks,
    onComment(run) {
      asked.add(run);
      return () => void asked.delete(run);
    },
  };
  return {
    tools,
    seen,
    /** The caret moves into the words of a thread. */
    activate(thread: ThreadId | null) {
      for (const run of activations) run(thread);
    },
    /** Someone presses the key for a new comment. */
    ask() {
      for (const run of asked) run(true);
    },
    move: () => changes.notify(),
    /** The words of a thread stand elsewhere, as its anchor has to say. */
    report(thread: ThreadId, anchor: Anchor, known: Anchor) {
      for (const run of moves) run(thread, anchor, known);
    },
  };
}
