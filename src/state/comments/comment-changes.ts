// Comments, replies, edits and the like, as this person makes them. Each is shown at once and waits on this device until the
// server has it, also over a reload. Words that the server rejects wait for the person; other rejected changes are dropped.
import type { Atom } from 'jotai/vanilla';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { CommentChange, CommentQueue, Comments } from '../../ports/comments.ts';
import type { FileCache } from '../../ports/files.ts';
import {
  type Anchor,
  type ChangedThread,
  type CommentAnswer,
  type CommentBody,
  commentBody,
  picturesOf,
} from '../../protocol/comments.ts';
import type { AttachmentId, CommentId, ThreadId } from '../../protocol/ids.ts';
import { type ChangeSender, type ChangeSenderOptions, changeSender } from '../offline/change-sender.ts';
import type { AtomStore } from '../store.ts';
import { discardedWith, folded } from './fold-changes.ts';

type NewComment = CommentChange & { readonly kind: 'start' | 'reply' };
type WithoutStamp<Change> = Change extends unknown ? Omit<Change, 'key' | 'madeAt' | 'refused'> : never;
export type NewChange = WithoutStamp<CommentChange>;

export interface CommentChanges extends Pick<
  ChangeSender<CommentChange>,
  'atom' | 'onlyHereAtom' | 'isFailingAtom' | 'sendAll' | 'refresh' | 'close'
> {
  readonly add: (change: NewChange) => void;
  /** The words of a thread stand elsewhere by now. Returns false unless the thread itself still waits to be sent. */
  readonly moveStart: (thread: ThreadId, anchor: Anchor) => boolean;
  /** Takes a picture out of a comment, or the edit of one, that waits. One of this picture alone is given up. */
  readonly takeOut: (comment: CommentId, picture: AttachmentId) => void;
  /** The server has these threads. A rejected comment among them got there all the same, by an earlier call or another tab's. */
  readonly noteStored: (threads: readonly ChangedThread[]) => void;
  /** Gives up a rejected comment, or the rejected edit of one. */
  readonly discard: (comment: CommentId) => void;
  /** Gives up all changes of a page that are not on their way. */
  readonly discardPage: (page: DocumentId) => void;
}

type SendingPorts = {
  readonly comments: Comments;
  /** Resolves when the server has the page, which may have been created offline. */
  readonly ensureCreated: (page: DocumentId) => Promise<Result<unknown, WeftError>>;
  /** Pages that the server does not have yet. Those that it rejected wait for the person. */
  readonly pendingPagesAtom: Atom<ReadonlyMap<DocumentId, unknown>>;
  /** Pictures and files that wait on this device, or whose upload failed. */
  readonly uploads: {
    readonly atom: Atom<ReadonlyMap<AttachmentId, unknown>>;
    readonly cancel: (id: AttachmentId) => void;
  };
  /** Another tab may have added a picture a moment ago. */
  readonly files: { readonly fileCache: Pick<FileCache, 'get'> };
};

export type CommentChangesOptions = SendingPorts & {
  readonly queue: CommentQueue;
} & Pick<ChangeSenderOptions<CommentChange, CommentAnswer | null>, 'store' | 'timing' | 'onSent' | 'onChanged'>;

export function commentChanges(options: CommentChangesOptions): CommentChanges {
  const { store, timing } = options;
  const sender: ChangeSender<CommentChange> = changeSender<CommentChange, CommentAnswer | null>({
    ...options,
    call: (change) => callServer(options, change),
    onRefused(change, { code }) {
      // The thread may be gone, or the right to comment.
      void options.onSent(change, null);
      if (!('body' in change)) return null;
      return { ...(change.kind === 'edit' ? change : withLaterWords(change, sender)), refused: code };
    },
    isHeld: (change) => store.get(options.pendingPagesAtom).has(change.page) || waitsForPictures(change),
  });
  /** Whether a change has a picture that is not uploaded, or is about a comment or a thread that has. */
  const waitsForPictures = (change: CommentChange): boolean => {
    const uploads = store.get(options.uploads.atom);
    if (uploads.size === 0) return false;
    const isUploading = (one: CommentChange) => picturesIn(one).some((id) => uploads.has(id));
    const isBelow = (one: CommentChange) =>
      one.kind === 'start' ? one.thread === change.thread : one.kind === 'reply' && isSameComment(one, change);
    return isUploading(change) || store.get(sender.atom).some((one) => isBelow(one) && isUploading(one));
  };
  const stops = [
    whenFewer(store, options.pendingPagesAtom, sender.sendAll),
    whenFewer(store, options.uploads.atom, sender.sendAll),
  ];
  /** Ends the uploads of pictures that no change has any longer. */
  const cancelUploads = (gone: readonly CommentChange[]) => {
    const kept = new Set(store.get(sender.atom).flatMap(picturesIn));
    for (const id of gone.flatMap(picturesIn)) if (!kept.has(id)) options.uploads.cancel(id);
  };
  const giveUp = (changes: readonly CommentChange[]) => cancelUploads(changes.filter(sender.takeBack));
  const add = (change: NewChange) => {
    // In the order in which they were made, although a device's clock may be set back.
    const last = store.get(sender.atom).at(-1)?.madeAt ?? 0;
    const stamp = { key: randomUuid(), madeAt: Math.max(timing.now(), last + 1), refused: null };
    const next = folded({ ...change, ...stamp }, sender.idle());
    sender.add(next.change, next.replaced);
    cancelUploads(next.replaced);
  };
  return {
    ...sender,
    add,
    takeOut(comment, picture) {
      const change = sender.idle().findLast((one) => 'body' in one && one.comment === comment);
      if (change === undefined || !('body' in change)) return;
      const { page, thread } = change;
      const body = change.body.filter((block) => block.kind !== 'picture' || block.picture !== picture);
      if (body.length > 0) add({ kind: 'edit', page, thread, comment, body });
      // The comment itself has been sent, with other words.
      else if (change.kind === 'edit') giveUp([change]);
      else add({ kind: 'remove', page, thread, comment });
    },
    moveStart(thread, anchor) {
      const start = sender.idle().find((one) => one.thread === thread && one.kind === 'start');
      if (start?.kind !== 'start') return false;
      sender.add({ ...start, key: randomUuid(), anchor }, [start]);
      return true;
    },
    noteStored(threads) {
      for (const change of sender.idle()) {
        if (change.refused === null || (change.kind !== 'start' && change.kind !== 'reply')) continue;
        const body = storedBody(threads, change);
        if (body === null) continue;
        if (hasOtherWords(change, body)) sender.add({ ...change, key: randomUuid(), kind: 'edit' }, [change]);
        else sender.takeBack(change);
      }
    },
    discard: (comment) => giveUp(discardedWith(comment, sender.idle())),
    discardPage: (id) => giveUp(sender.idle().filter(({ page }) => page === id)),
    close() {
      for (const stop of stops) stop();
      sender.close();
    },
  };
}

/** Takes an edit of a new comment into it: without the comment it can't come. */
function withLaterWords(
  change: NewComment,
  sender: Pick<ChangeSender<CommentChange>, 'idle' | 'takeBack'>,
): NewComment {
  const edit = sender.idle().findLast((one) => one.kind === 'edit' && one.comment === change.comment);
  if (edit?.kind !== 'edit') return change;
  sender.takeBack(edit);
  return { ...change, body: edit.body, isChanged: true };
}

const picturesIn = (change: CommentChange): readonly AttachmentId[] =>
  'body' in change ? picturesOf(change.body).map(({ picture }) => picture) : [];

const isSameComment = (one: CommentChange & { readonly kind: 'reply' }, other: CommentChange): boolean =>
  'comment' in other && other.comment === one.comment;

function whenFewer(store: AtomStore, pagesAtom: Atom<ReadonlyMap<unknown, unknown>>, run: () => void): Cancel {
  let { size } = store.get(pagesAtom);
  return store.sub(pagesAtom, () => {
    const before = size;
    ({ size } = store.get(pagesAtom));
    if (size < before) run();
  });
}

/** Null: there is nothing that it could change. */
async function callServer(
  ports: SendingPorts,
  change: CommentChange,
): Promise<Result<CommentAnswer | null, WeftError>> {
  const { comments } = ports;
  const created = await ports.ensureCreated(change.page);
  if (!created.ok) return err(weftError('WF011', 'the server does not have the page yet'));
  for (const picture of picturesIn(change)) {
    const queued = await ports.files.fileCache.get(picture).catch(() => null);
    if (queued !== null) return err(weftError('WF011', 'a picture is not uploaded yet'));
  }
  switch (change.kind) {
    case 'start':
      return withBody(
        comments,
        change,
        await comments.start(change.page, change.thread, change.comment, change.anchor, change.body),
      );
    case 'reply':
      return withBody(comments, change, await comments.reply(change.thread, change.comment, change.body));
    case 'edit':
      return comments.edit(change.comment, change.body);
    case 'remove': {
      const answer = await comments.remove(change.comment);
      // The comment was never sent, or someone else removed it.
      return !answer.ok && answer.error.code === 'WF001' ? ok(null) : answer;
    }
    case 'resolve':
      return comments.resolve(change.thread, change.isResolved);
    case 'react':
      return comments.react(change.comment, change.emoji, change.isSet);
  }
}

/**
 * If an earlier call with these ids arrived and its answer was lost, the server has the words of that one. The person may have
 * changed them since, while the comment waited.
 */
async function withBody(
  comments: Comments,
  change: NewComment,
  answer: Result<CommentAnswer, WeftError>,
): Promise<Result<CommentAnswer, WeftError>> {
  const stored = answer.ok ? storedBody([answer.value.thread], change) : null;
  if (stored === null || !hasOtherWords(change, stored)) return answer;
  return comments.edit(change.comment, change.body);
}

/** What the server has of a new comment. Null: nothing, or it is removed. */
function storedBody(threads: readonly ChangedThread[], { thread, comment }: NewComment): CommentBody | null {
  const found = threads.find(({ id }) => id === thread);
  if (found === undefined || 'removed' in found) return null;
  return found.comments.find(({ id }) => id === comment)?.body ?? null;
}

/** Words that were not changed here are the first ones: if the server has others, those are newer. */
const hasOtherWords = ({ body, isChanged = false }: NewComment, stored: CommentBody): boolean =>
  isChanged && !isSame(stored, body);

/** The schema puts the parts of both in one order. */
const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(parseOrNull(commentBody, a)) === JSON.stringify(parseOrNull(commentBody, b));
