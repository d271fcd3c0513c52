// The threads of a page as this person sees them: as the server has them, and with the changes that wait on this device.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { CommentChange } from '../../ports/comments.ts';
import type { ChangedThread, Comment, Thread } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';

/** `sending`: on its way. `device`: the server can't be reached. `refused`: it waits until the person discards it. */
export type CommentState = 'saved' | 'sending' | 'device' | 'refused';
export type ShownComment = Comment & { readonly state: CommentState };
export type ShownThread = Omit<Thread, 'comments'> & { readonly comments: readonly ShownComment[] };

type ChangeOfWords = CommentChange & { readonly kind: 'start' | 'reply' | 'edit' };

type Shown = {
  readonly me: UserId;
  /** The state of the waiting changes that were not rejected. */
  readonly waitingState: 'sending' | 'device';
};

/** Oldest first. `waiting` has the page's waiting changes, oldest first. */
export function shownThreads(
  known: readonly ChangedThread[],
  waiting: readonly CommentChange[],
  shown: Shown,
): readonly ShownThread[] {
  const threads = new Map(known.flatMap((one) => ('removed' in one ? [] : [[one.id, savedThread(one)] as const])));
  for (const change of waiting) {
    const thread = changedThread(threads.get(change.thread), change, shown);
    if (thread !== undefined) threads.set(change.thread, thread);
  }
  return Array.from(threads.values())
    .filter(({ comments }) => comments.some(({ body }) => body !== null))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

const savedThreads = new WeakMap<Thread, ShownThread>();

/** The same object for the same thread, so that only the cards of changed threads render. */
function savedThread(thread: Thread): ShownThread {
  const known = savedThreads.get(thread);
  if (known !== undefined) return known;
  const shown = { ...thread, comments: thread.comments.map((one) => ({ ...one, state: 'saved' as const })) };
  savedThreads.set(thread, shown);
  return shown;
}

/** Undefined: the thread is not known here, or is gone. Rejected words are shown all the same, for the person to decide. */
function changedThread(thread: ShownThread | undefined, change: CommentChange, shown: Shown): ShownThread | undefined {
  const { me } = shown;
  const state = change.refused === null ? shown.waitingState : 'refused';
  if (thread === undefined) {
    const isShown = change.kind === 'start' || ('body' in change && state === 'refused');
    return isShown ? newThread(change, me, state) : undefined;
  }
  const withComment = (alter: (comment: ShownComment) => ShownComment, id: string): ShownThread => ({
    ...thread,
    comments: thread.comments.map((one) => (one.id === id ? alter(one) : one)),
  });
  switch (change.kind) {
    case 'start':
      return thread;
    case 'reply': {
      // The server has it, and its answer was lost.
      if (thread.comments.some(({ id }) => id === change.comment)) return thread;
      return { ...thread, comments: [...thread.comments, newComment(change, me, state)] };
    }
    case 'edit':
      return withComment((one) => ({ ...one, body: change.body, editedAt: change.madeAt, state }), change.comment);
    case 'remove':
      return withComment((one) => ({ ...one, body: null, reactions: [], state }), change.comment);
    case 'resolve':
      return { ...thread, resolved: change.isResolved ? { by: me, at: change.madeAt } : null };
    case 'react':
      return withComment((one) => ({ ...one, reactions: withReaction(one.reactions, change, me) }), change.comment);
  }
}

function newThread(change: ChangeOfWords, me: UserId, state: CommentState): ShownThread {
  const anchor = change.kind === 'start' ? change.anchor : ({ kind: 'page' } as const);
  const comments = [newComment(change, me, state)];
  return { id: change.thread, anchor, by: me, at: change.madeAt, resolved: null, change: 0, comments };
}

const newComment = ({ comment, madeAt, body }: ChangeOfWords, me: UserId, state: CommentState): ShownComment => ({
  id: comment,
  by: me,
  at: madeAt,
  editedAt: null,
  body,
  change: 0,
  reactions: [],
  state,
});

function withReaction(
  reactions: Comment['reactions'],
  { emoji, isSet }: CommentChange & { readonly kind: 'react' },
  me: UserId,
): Comment['reactions'] {
  const isKnown = reactions.some((one) => one.emoji === emoji);
  const all = isKnown || !isSet ? reactions : [...reactions, { emoji, by: [] }];
  return all.flatMap((one) => {
    if (one.emoji !== emoji) return [one];
    const others = one.by.filter((user) => user !== me);
    const by = isSet ? [...others, me] : others;
    return by.length === 0 ? [] : [{ emoji, by }];
  });
}

/** Threads with words of someone else that are newer than `readChange`. */
export const unreadThreads = (threads: readonly ShownThread[], readChange: number, me: UserId): ReadonlySet<ThreadId> =>
  new Set(
    threads
      .filter(({ comments }) =>
        comments.some(({ by, body, change }) => by !== me && body !== null && change > readChange),
      )
      .map(({ id }) => id),
  );
