// What `CommentsOfPage` passes to all parts of the comments of a page.
import { createContext, use } from 'react';
import type { MentionNames } from '../../editor/typed-menu/mention-names.ts';
import { assert } from '../../lib/assert.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { PageComments } from '../../state/comments/page-comments.ts';
import type { ReplyWriters } from '../../state/comments/reply-writers.ts';
import type { PageReaders } from '../../state/workspace/access/page-readers.ts';
import type { CommentDrafts } from './composer/comment-drafts.ts';

/** Shown offline, if this device has no copy of the comments. */
export const NOT_ON_DEVICE = 'The comments of this page are not on this device yet.';

export type SharedByComments = {
  readonly comments: PageComments;
  readonly mayComment: boolean;
  /** May delete the comments of others. */
  readonly mayManage: boolean;
  readonly drafts: CommentDrafts;
  /** The people that `@` offers, and the pages that a link may lead to. */
  readonly names: MentionNames;
  readonly writers: ReplyWriters;
  /** Who can open the page and read its comments. */
  readonly readers: PageReaders;
  readonly addressOf: (thread: ThreadId) => string;
  /** Opens a thread with the focus in it; null closes the open one. */
  readonly openThread: (thread: ThreadId | null) => void;
  /** Gives the focus back to the words of a thread, which stays open. */
  readonly leaveThread: (thread: ThreadId) => void;
  /** The card of a thread is gone, or closed. If nothing has the focus now, a card gets it, or the button in the bar. */
  readonly passFocus: (thread: ThreadId) => void;
};

export const CommentsContext = createContext<SharedByComments | null>(null);

export function useComments(): SharedByComments {
  const value = use(CommentsContext);
  assert(value !== null, 'used outside of the comments of a page');
  return value;
}
