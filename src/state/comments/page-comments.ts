// The comments of one open page: loaded after its first frame, then kept up to date, with what waits on this device.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { mayComment } from 'weft-sync/protocol/roles.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { onceWithin } from '../../lib/async/once-within.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Comments } from '../../ports/comments.ts';
import type { ListCache } from '../../ports/device.ts';
import type { WritableFiles } from '../../ports/files.ts';
import type { Anchor, ChangedThread, CommentBody } from '../../protocol/comments.ts';
import type { AttachmentId, CommentId, ThreadId } from '../../protocol/ids.ts';
import { newCommentId, newThreadId } from '../../protocol/new-ids.ts';
import { type CommentFilesPorts, commentFiles } from '../files/comment-files.ts';
import type { Uploads } from '../files/uploads.ts';
import type { ListState, Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import type { CommentChanges, NewChange } from './comment-changes.ts';
import type { KnownComments } from './known-comments.ts';
import { DENIED, type LoadedComments, loadedComments } from './loaded-comments.ts';
import { type ShownThread, shownThreads, unreadThreads } from './shown-threads.ts';

export type CommentsView = {
  /** `hidden`: this person may not read them. `offline`: none are on this device. */
  readonly phase: 'loading' | 'ready' | 'hidden' | 'offline';
  /** Oldest first. */
  readonly threads: readonly ShownThread[];
  /** The server was asked since the page was opened, and answered last time. */
  readonly isFresh: boolean;
  readonly mayComment: boolean;
  /** The newest change of the page's comments that this person has read. */
  readonly readChange: number;
};

/** Loads when `viewAtom` is first subscribed to, and then follows the server until the page is closed. */
export interface PageComments {
  /** Their pictures. */
  readonly files: WritableFiles;
  readonly viewAtom: Atom<CommentsView>;
  readonly openCountAtom: Atom<number>;
  /** Threads with a comment of someone else that is newer than `readChange`. */
  readonly unreadAtom: Atom<ReadonlySet<ThreadId>>;
  readonly start: (anchor: Anchor, body: CommentBody) => ThreadId;
  readonly reply: (thread: ThreadId, body: CommentBody) => void;
  readonly edit: (comment: CommentId, body: CommentBody) => void;
  readonly remove: (comment: CommentId) => void;
  readonly resolve: (thread: ThreadId, isResolved: boolean) => void;
  readonly react: (comment: CommentId, emoji: string, isSet: boolean) => void;
  /** The words stand elsewhere by now. Not queued: the next reader finds them too. `known`: the anchor that the thread has. */
  readonly move: (thread: ThreadId, anchor: Anchor, known: Anchor) => Promise<void>;
  /** This person, who sends no carets, writes a reply, or stopped. Tells no one while they are alone on the live topic. */
  readonly announce: (thread: ThreadId, isWriting: boolean) => void;
  /** Takes a picture out of a comment that is not sent. */
  readonly takeOut: (comment: CommentId, picture: AttachmentId) => void;
  /** Gives up a rejected comment, or the rejected edit of one. */
  readonly discard: (comment: CommentId) => void;
  readonly markRead: () => void;
  readonly refresh: () => void;
}

/** `PageComments` with the calls that the rest of the person's state makes. */
export interface OpenComments extends PageComments {
  /** Someone changed the page's comments, or who may read them. `isRead`: this person has read them, perhaps on this device. */
  readonly noteChange: (isRead?: boolean) => void;
  /** Resolves when the list has the thread. Null: the list is asked for it. */
  readonly receive: (thread: ChangedThread | null) => Promise<void>;
  readonly close: () => void;
}

/** The page, as far as its comments depend on it. */
export type CommentedPage = {
  readonly documentId: DocumentId;
  readonly phaseAtom: Atom<SessionView['phase']>;
  readonly roleAtom: Atom<SessionView['role']>;
  readonly peersAtom: Atom<SessionView['peers']>;
  readonly isAccessLostAtom: Atom<boolean>;
  /** The page is being compared with a server that was restored. */
  readonly isRestoringAtom: Atom<boolean>;
  /** Set while the server does not have the page yet. */
  readonly pendingAtom: Atom<unknown>;
};

export type PageCommentsOptions = {
  readonly me: UserId;
  readonly store: AtomStore;
  readonly comments: Comments;
  readonly changes: CommentChanges;
  readonly listCache: ListCache;
  readonly timing: Timing;
  readonly ensureLoaded: (people: readonly UserId[]) => void;
} & { readonly files: Omit<CommentFilesPorts, 'store' | 'timing' | 'uploads'>; readonly uploads: Uploads };

const AFTER_FIRST_FRAME_MS = 100;
/** Where few people are, they get a new comment soon; where many are, they don't all ask in one instant. */
const JITTER_MS = 200;
const CROWD_JITTER_MS = 2_000;
/** Readers are on the live topic while at most this many are there. A reader elsewhere does not know how many read. */
const FEW_PEOPLE = 8;

const HIDDEN: CommentsView = { phase: 'hidden', threads: [], isFresh: false, mayComment: false, readChange: 0 };

export function pageComments(options: PageCommentsOptions, page: CommentedPage): OpenComments {
  const { me, store, comments, changes, timing } = options;
  const { documentId } = page;
  const loading = loadedOnceReady(options, page);
  const { loadedAtom } = loading;
  const loaded = () => store.get(loadedAtom);
  const refresh = () => void loaded()?.refresh();
  const soon = onceWithin(timing, refresh);
  const files = commentFiles({ ...options, ...options.files }, documentId);

  const waitingAtom = atom((get) => get(changes.atom).filter((change) => change.page === documentId));
  const threadsAtom = atom((get) => {
    const known = get(get(loadedAtom)?.atom ?? nothingKnownAtom).value?.threads ?? [];
    const waitingState = get(changes.isFailingAtom) || get(page.pendingAtom) !== null ? 'device' : 'sending';
    return shownThreads(known, get(waitingAtom), { me, waitingState });
  });
  const viewAtom = atom((get): CommentsView => {
    const { value, isFresh, error } = get(get(loadedAtom)?.atom ?? nothingKnownAtom);
    if (get(page.isAccessLostAtom) || (error !== null && DENIED.includes(error.code))) return HIDDEN;
    const isNew = get(page.pendingAtom) !== null;
    return {
      phase: value !== null || isNew ? 'ready' : error === null ? 'loading' : 'offline',
      threads: get(threadsAtom),
      isFresh,
      // The role may be newer than the list.
      mayComment: mayComment(get(page.roleAtom)) && value?.mayComment !== false,
      readChange: value?.readChange ?? 0,
    };
  });

  const at = (thread: ThreadId) => ({ page: documentId, thread });
  /** Adds a change of a comment that is shown. */
  const change = (comment: CommentId, alter: (thread: ThreadId) => NewChange) => {
    const thread = store.get(threadsAtom).find(({ comments: all }) => all.some(({ id }) => id === comment));
    if (thread !== undefined) changes.add(alter(thread.id));
  };

  return {
    files,
    viewAtom,
    openCountAtom: atom((get) => get(viewAtom).threads.filter(({ resolved }) => resolved === null).length),
    unreadAtom: atom((get) => unreadThreads(get(viewAtom).threads, get(viewAtom).readChange, me)),
    start(anchor, body) {
      const thread = newThreadId();
      changes.add({ ...at(thread), kind: 'start', comment: newCommentId(), anchor, body });
      return thread;
    },
    reply: (thread, body) => changes.add({ ...at(thread), kind: 'reply', comment: newCommentId(), body }),
    edit: (comment, body) => change(comment, (thread) => ({ ...at(thread), kind: 'edit', comment, body })),
    remove: (comment) => change(comment, (thread) => ({ ...at(thread), kind: 'remove', comment })),
    resolve: (thread, isResolved) => changes.add({ ...at(thread), kind: 'resolve', isResolved }),
    react: (comment, emoji, isSet) =>
      change(comment, (thread) => ({ ...at(thread), kind: 'react', comment, emoji, isSet })),
    async move(thread, anchor, known) {
      if (changes.moveStart(thread, anchor)) return;
      const answer = await comments.move(thread, anchor, known);
      if (answer.ok) await loaded()?.receive(answer.value.thread);
    },
    announce: announcer(options, page),
    takeOut: changes.takeOut,
    discard: changes.discard,
    markRead: () => loaded()?.markRead(),
    refresh() {
      refresh();
      files.retryLoading();
    },
    noteChange(isRead = false) {
      if (isRead && loaded()?.isAllRead() === true) return;
      const { length } = store.get(page.peersAtom);
      soon.call(length > 0 && length <= FEW_PEOPLE ? JITTER_MS : CROWD_JITTER_MS);
    },
    receive: async (thread) => loaded()?.receive(thread),
    close() {
      soon.cancel();
      files.close();
      loading.close();
    },
  };
}

function announcer({ store, comments }: PageCommentsOptions, { peersAtom }: CommentedPage): PageComments['announce'] {
  /** One after the other: an end must not overtake its beginning. */
  let announced: Promise<unknown> = Promise.resolve();
  return (thread, isWriting) => {
    if (store.get(peersAtom).length === 1) return;
    announced = announced.then(() => comments.announce(thread, isWriting));
  };
}

/** Loads the comments once a view reads them and the page is ready. Asks again when role or access change, or after a restore. */
function loadedOnceReady(options: PageCommentsOptions, page: CommentedPage) {
  const { store, changes, timing } = options;
  const loadedAtom = atom<LoadedComments | null>(null);
  const stops: Cancel[] = [];
  let isBegun = false;

  const load = () => {
    const loaded = loadedComments({ ...options, document: page.documentId });
    const refresh = () => void loaded.refresh();
    const noteStored = () => changes.noteStored(store.get(loaded.atom).value?.threads ?? []);
    stops.push(
      loaded.close,
      store.sub(loaded.atom, noteStored),
      store.sub(changes.atom, noteStored),
      store.sub(page.roleAtom, refresh),
      store.sub(page.isAccessLostAtom, refresh),
      // The server went back to an earlier state.
      store.sub(page.isRestoringAtom, () => store.get(page.isRestoringAtom) || loaded.reload()),
    );
    store.set(loadedAtom, loaded);
  };
  const loadIfReady = () => {
    if (isBegun || store.get(page.phaseAtom) !== 'ready' || store.get(page.pendingAtom) !== null) return;
    isBegun = true;
    stops.push(timing.after(AFTER_FIRST_FRAME_MS, load));
  };
  loadedAtom.onMount = () => {
    if (stops.length > 0) return;
    stops.push(store.sub(page.phaseAtom, loadIfReady), store.sub(page.pendingAtom, loadIfReady));
    loadIfReady();
  };
  return {
    loadedAtom,
    close() {
      for (const stop of stops) stop();
    },
  };
}

const nothingKnownAtom = atom<ListState<KnownComments>>({ value: null, isFresh: false, error: null });
