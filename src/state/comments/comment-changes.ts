// Comments, replies, edits and the like, as this person makes them. Each is shown at once and waits on this device until the server
// has it, also over a reload. Words that the server rejects wait for the person.
import type { Atom } from 'jotai/vanilla';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { CommentChange, CommentQueue, Comments } from '../../ports/comments.ts';
import type { FileCache } from '../../ports/files.ts';
import { type Anchor, type CommentAnswer, commentBody, picturesOf } from '../../protocol/comments.ts';
import type { AttachmentId, CommentId, ThreadId } from '../../protocol/ids.ts';
import { type ChangeSender, type ChangeSenderOptions, changeSender } from '../offline/change-sender.ts';
import type { AtomStore } from '../store.ts';
import { discardedWith, folded } from './fold-changes.ts';

type WithoutStamp<Change> = Change extends unknown ? Omit<Change, 'key' | 'madeAt' | 'refused'> : never;
export type NewChange = WithoutStamp<CommentChange>;

export interface CommentChanges extends Pick<
  ChangeSender<CommentChange>,
  'atom' | 'onlyHereAtom' | 'isFailingAtom' | 'sendAll' | 'refresh' | 'close'
> {
  readonly add: (change: NewChange) => void;
  /** The words of a thread that waits stand elsewhere by now. Returns false if no such thread waits. */
  readonly moveStart: (thread: ThreadId, anchor: Anchor) => boolean;
  /** Takes a picture out of a comment, or the edit of one, that waits. One of this picture alone is given up. */
  readonly takeOut: (comment: CommentId, picture: AttachmentId) => void;
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
  const arrived = new Set<string>();
  const sender = changeSender<CommentChange, CommentAnswer | null>({
    ...options,
    call: (change) => callServer(options, change, arrived),
    onRefused(change, { code }) {
      // The thread may be gone, or the right to comment.
      void options.onSent(change, null);
      if (!('body' in change)) return null;
      // The comment is there. What was rejected is the edit of it.
      return arrived.has(change.key) ? { ...change, kind: 'edit', refused: code } : { ...change, refused: code };
    },
    isHeld: (change) => store.get(options.pendingPagesAtom).has(change.page) || waitsForPictures(change),
  });
  /** It has a picture that is not uploaded, or is about a comment or a thread that has. */
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
    discard: (comment) => giveUp(discardedWith(comment, sender.idle())),
    discardPage: (id) => giveUp(sender.idle().filter(({ page }) => page === id)),
    close() {
      for (const stop of stops) stop();
      sender.close();
    },
  };
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

/** Null: there is nothing that it could change. `arrived`: gets the keys of comments that the server has with other words. */
async function callServer(
  ports: SendingPorts,
  change: CommentChange,
  arrived: Set<string>,
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
        arrived,
        await comments.start(change.page, change.thread, change.comment, change.anchor, change.body),
      );
    case 'reply':
      return withBody(comments, change, arrived, await comments.reply(change.thread, change.comment, change.body));
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
  { key, comment, body, isChanged = false }: CommentChange & { readonly kind: 'start' | 'reply' },
  arrived: Set<string>,
  answer: Result<CommentAnswer, WeftError>,
): Promise<Result<CommentAnswer, WeftError>> {
  if (!answer.ok || 'removed' in answer.value.thread) return answer;
  const stored = answer.value.thread.comments.find(({ id }) => id === comment);
  // An edit from elsewhere stays, unless the person changed the words here too.
  const isNewer = stored?.editedAt !== null && !isChanged;
  if (stored?.body == null || isNewer || isSame(stored.body, body)) return answer;
  arrived.add(key);
  return comments.edit(comment, body);
}

/** The schema puts the parts of both in one order. */
const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(parseOrNull(commentBody, a)) === JSON.stringify(parseOrNull(commentBody, b));
