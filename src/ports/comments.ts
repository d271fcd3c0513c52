// The ports of the views for comments: the server's functions, and the changes that wait on this device.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { Anchor, CommentAnswer, CommentBody, CommentList, LinkCommentList } from '../protocol/comments.ts';
import type { CommentId, ThreadId } from '../protocol/ids.ts';
import type { Answer } from './answer.ts';
import type { ChangeQueue } from './device.ts';

/** Times in answers are ms since 1970 by this device's clock. Every call may be repeated: the ids come from the device. */
export interface Comments {
  /** The threads that were changed after this change of the page's comments; with 0, all. WF002: the caller may not read them. */
  list(document: DocumentId, after: number): Answer<CommentList>;
  start(
    document: DocumentId,
    thread: ThreadId,
    comment: CommentId,
    anchor: Anchor,
    body: CommentBody,
  ): Answer<CommentAnswer>;
  reply(thread: ThreadId, comment: CommentId, body: CommentBody): Answer<CommentAnswer>;
  /** Own comments only. */
  edit(comment: CommentId, body: CommentBody): Answer<CommentAnswer>;
  /** Own comments; managers of the page any. An own one that the server does not have yet (WF001) is refused when it comes. */
  remove(comment: CommentId): Answer<CommentAnswer>;
  resolve(thread: ThreadId, isResolved: boolean): Answer<CommentAnswer>;
  react(comment: CommentId, emoji: string, isSet: boolean): Answer<CommentAnswer>;
  /** The words stand elsewhere by now. Editors, and the person who started the thread. `known`: the anchor that it had. */
  move(thread: ThreadId, anchor: Anchor, known: Anchor): Answer<CommentAnswer>;
  /** The person writes a reply, or no longer does, and may send no carets. Repeatable, and may be lost. */
  announce(thread: ThreadId, isWriting: boolean): Answer<void>;
  /** The person has read the page's comments up to this change. */
  markRead(document: DocumentId, change: number): Answer<void>;
}

type NewWords = {
  readonly comment: CommentId;
  readonly body: CommentBody;
  /** The person changed them while they waited: other words of the same comment may have arrived. */
  readonly isChanged?: boolean;
};

/** The comments of the page behind a link to watch, which names no people. */
export interface LinkComments {
  /** As `Comments.list`. WF002: the link shows none. */
  list(secret: LinkSecret, after: number): Answer<LinkCommentList>;
}

/** A change of a page's comments that the server does not have yet. */
export type CommentChange = {
  /** Random. */
  readonly key: string;
  readonly page: DocumentId;
  readonly thread: ThreadId;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /**
   * Why the server rejected it. Null if it has not. A rejected change with words waits until the person edits or
   * discards it; others are dropped.
   */
  readonly refused: WeftError['code'] | null;
} & (
  | (NewWords & { readonly kind: 'start'; readonly anchor: Anchor })
  | (NewWords & { readonly kind: 'reply' })
  | { readonly kind: 'edit'; readonly comment: CommentId; readonly body: CommentBody }
  | { readonly kind: 'remove'; readonly comment: CommentId }
  | { readonly kind: 'resolve'; readonly isResolved: boolean }
  | { readonly kind: 'react'; readonly comment: CommentId; readonly emoji: string; readonly isSet: boolean }
);

export type CommentQueue = ChangeQueue<CommentChange>;
