// The comments of one open page.
import type { Atom } from 'jotai/vanilla';
import type { Anchor, CommentBody } from '../../protocol/comments.ts';
import type { CommentId, ThreadId } from '../../protocol/ids.ts';
import type { ShownThread } from './shown-threads.ts';

export type CommentsView = {
  /** `hidden`: this person may not read them. `offline`: none are on this device. */
  readonly phase: 'loading' | 'ready' | 'hidden' | 'offline';
  /** Oldest first. */
  readonly threads: readonly ShownThread[];
  readonly mayComment: boolean;
  /** The newest change of the page's comments that this person has read. */
  readonly readChange: number;
};

/** Loads when `viewAtom` is first subscribed to, and then follows the server until the page is closed. */
export interface PageComments {
  readonly viewAtom: Atom<CommentsView>;
  readonly openCountAtom: Atom<number>;
  /** Threads with a comment of someone else that is newer than `readChange`. */
  readonly unreadAtom: Atom<ReadonlySet<ThreadId>>;
  start(anchor: Anchor, body: CommentBody): ThreadId;
  reply(thread: ThreadId, body: CommentBody): void;
  edit(comment: CommentId, body: CommentBody): void;
  remove(comment: CommentId): void;
  resolve(thread: ThreadId, isResolved: boolean): void;
  react(comment: CommentId, emoji: string, isSet: boolean): void;
  /** The words stand elsewhere by now. Not queued: the next reader finds them again. `known`: the anchor that the thread has. */
  move(thread: ThreadId, anchor: Anchor, known: Anchor): void;
  /** Gives up a refused comment, or the refused edit of one. */
  discard(comment: CommentId): void;
  markRead(): void;
  refresh(): void;
}
