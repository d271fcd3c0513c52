// Says which waiting changes a newer one replaces, so that the server, and others, get only what the person decided in the end.
import type { CommentChange } from '../../ports/comments.ts';
import type { CommentId } from '../../protocol/ids.ts';

type ChangeOf<Kind extends CommentChange['kind']> = CommentChange & { readonly kind: Kind };

/** `change` is put in place of `replaced`. */
export type Folded = { readonly change: CommentChange; readonly replaced: readonly CommentChange[] };

/** `idle`: the waiting changes that are not on their way, oldest first. */
export function folded(change: CommentChange, idle: readonly CommentChange[]): Folded {
  const ofThread = idle.filter(({ thread }) => thread === change.thread);
  switch (change.kind) {
    case 'start':
    case 'reply':
      return { change, replaced: [] };
    case 'edit':
      return foldedEdit(change, ofThread);
    case 'remove':
      return { change, replaced: undoneBy(change, ofThread) };
    case 'resolve':
      return { change, replaced: ofThread.filter(({ kind }) => kind === 'resolve') };
    case 'react': {
      const { comment, emoji } = change;
      const isSame = (one: CommentChange) => one.kind === 'react' && one.comment === comment && one.emoji === emoji;
      return { change, replaced: ofThread.filter(isSame) };
    }
  }
}

/** An edit of a comment that waits becomes part of it. */
function foldedEdit(edit: ChangeOf<'edit'>, ofThread: readonly CommentChange[]): Folded {
  const ofComment = ofThread.filter((one) => isAbout(one, edit.comment));
  const edits = ofComment.filter(({ kind }) => kind === 'edit');
  const words = ofComment.find((one) => one.kind === 'start' || one.kind === 'reply');
  if (words === undefined) return { change: edit, replaced: edits };
  const { key, body, refused } = edit;
  return { change: { ...words, key, body, refused, isChanged: true }, replaced: [words, ...edits] };
}

/**
 * The comment with all that waits about it. The removal itself is sent all the same: the server may have the comment, and its
 * answer was lost. A thread whose replies wait has to be started before its first comment is removed.
 */
function undoneBy({ comment }: ChangeOf<'remove'>, ofThread: readonly CommentChange[]): readonly CommentChange[] {
  const ofComment = ofThread.filter((one) => isAbout(one, comment));
  if (!ofComment.some(({ kind }) => kind === 'start')) return ofComment;
  // An edit is of a reply that is on its way.
  const hasReplies = ofThread.some((one) => 'body' in one && one.comment !== comment);
  return hasReplies ? ofComment.filter(({ kind }) => kind !== 'start') : ofThread;
}

/** The waiting changes that go with a rejected comment, or with the rejected edit of one. */
export function discardedWith(comment: CommentId, idle: readonly CommentChange[]): readonly CommentChange[] {
  const ofComment = idle.filter((one) => isAbout(one, comment));
  const started = ofComment.find(({ kind }) => kind === 'start');
  if (started !== undefined) return idle.filter(({ thread }) => thread === started.thread);
  const isNew = ofComment.some(({ kind }) => kind === 'reply');
  return isNew ? ofComment : ofComment.filter(({ refused }) => refused !== null);
}

const isAbout = (change: CommentChange, comment: CommentId): boolean =>
  'comment' in change && change.comment === comment;
