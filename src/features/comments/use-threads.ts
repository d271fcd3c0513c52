// The threads of the page as the lane or the sheet shows them: which are listed, which one is open, which are unread.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { CommentsView, PageComments } from '../../state/comments/page-comments.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { usePerson, useValue } from '../../state/hooks.ts';
import type { LaneLayout, TextPlaces } from './lane/lane-layout.ts';
import { NO_FILTER, type ThreadFilter, inTextOrder, listedThreads, commentersOf } from './listed-threads.ts';

/**
 * An open thread. `hasFocus`: the focus goes into it and its words scroll to the screen. False if the
 * caret or a click in its words opened it, or it was just sent.
 */
export type ActiveThread = { readonly id: ThreadId; readonly hasFocus: boolean };

export type ThreadsOnScreen = {
  readonly phase: CommentsView['phase'];
  /** In the order of the text. */
  readonly listed: readonly ShownThread[];
  /** All threads of the page. */
  readonly count: number;
  readonly openCount: number;
  readonly active: ActiveThread | null;
  readonly unread: ReadonlySet<ThreadId>;
  readonly places: TextPlaces;
  readonly filter: ThreadFilter;
  /** The others who wrote a comment on the page. */
  readonly writers: readonly UserId[];
  readonly setFilter: (filter: ThreadFilter) => void;
};

type Options = {
  readonly comments: PageComments;
  readonly marks: CommentMarks;
  readonly layout: LaneLayout;
  readonly active: ActiveThread | null;
  readonly isShown: boolean;
};

const NONE: ReadonlySet<ThreadId> = new Set();

export function useThreads({ comments, marks, layout, active, isShown }: Options): ThreadsOnScreen {
  const { phase, threads } = useValue(comments.viewAtom);
  const openCount = useValue(comments.openCountAtom);
  const me = usePerson().identity.id;
  const [chosen, setChosen] = useState(NO_FILTER);
  // What is not on the screen is not filtered.
  const filter = isShown ? chosen : NO_FILTER;
  const writers = useMemo(
    () => Array.from(new Set(threads.flatMap(commentersOf))).filter((user) => user !== me),
    [threads, me],
  );
  const { unread, news, forget } = useUnread(comments, isShown, active?.id ?? null);
  const setFilter = (wanted: ThreadFilter) => {
    setChosen(wanted);
    forget();
  };
  const places = useSyncExternalStore(layout.subscribe, layout.get);
  const found = listedThreads(threads, { filter, me, unread, news, active: active?.id ?? null });
  const listed = inTextOrder(found, places.ranks);
  useEffect(() => marks.show(found), [marks, found]);
  // The right to read them may go while the page stays.
  useEffect(
    () => () => {
      marks.setDraft(null);
      marks.show([]);
    },
    [marks],
  );
  // After the effect above: a thread that was not listed has its mark only now.
  useEffect(() => (active?.hasFocus === true ? revealOnceMarked(marks, active.id) : undefined), [marks, active]);
  return { phase, listed, count: threads.length, openCount, active, unread, places, filter, writers, setFilter };
}

/** Text that is yet to be drawn has its marks later. Words that are gone have none. */
function revealOnceMarked(marks: CommentMarks, thread: ThreadId): Cancel {
  const reveal = () => marks.reveal(thread) || marks.places().get(thread)?.isGone === true;
  if (reveal()) return () => undefined;
  const stop = marks.subscribe(() => reveal() && stop());
  return stop;
}

/** Someone looks at the comments if they are on the screen for this time. */
const READ_AFTER_MS = 2_000;

/**
 * What was unread when the comments were shown stays marked until it is opened, or the comments are closed. The server learns
 * that it was read after `READ_AFTER_MS`, so each filter lists it: `news`, until another one is chosen.
 */
function useUnread(comments: PageComments, isShown: boolean, active: ThreadId | null) {
  const unread = useValue(comments.unreadAtom);
  const [kept] = useKept(unread, isShown, active);
  const [news, forget] = useKept(unread, isShown, null);
  const ids = isShown ? Array.from(unread).join(' ') : '';
  useEffect(() => (ids === '' ? undefined : onceSeen(() => comments.markRead())), [comments, ids]);
  return { unread: isShown ? kept : unread, news, forget };
}

/** The threads that were unread at any time since the comments were shown, or since `forget`, without those that were `active`. */
function useKept(
  unread: ReadonlySet<ThreadId>,
  isShown: boolean,
  active: ThreadId | null,
): readonly [ReadonlySet<ThreadId>, forget: () => void] {
  const [kept, setKept] = useState(NONE);
  const wanted = isShown ? new Set([...kept, ...unread].filter((id) => id !== active)) : NONE;
  if (wanted.size !== kept.size || [...wanted].some((id) => !kept.has(id))) setKept(wanted);
  return [kept, () => setKept(NONE)];
}

/** Runs each time that the tab was in front for a while. */
function onceSeen(run: () => void): Cancel {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') timer = setTimeout(run, READ_AFTER_MS);
  };
  start();
  document.addEventListener('visibilitychange', start);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', start);
  };
}
