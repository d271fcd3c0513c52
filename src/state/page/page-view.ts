// The view of an open page, and its parts as atoms: the session's view, in which the page's creation on the server, its files
// and changes of its comments count as edits while they wait, because the page is not fully saved before that.
import { type Atom, atom } from 'jotai/vanilla';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import type { PendingPage } from '../../ports/device.ts';
import type { WaitingComment } from '../comments/person-comments.ts';
import type { WaitingFiles } from '../files/uploads.ts';

export type PageView = SessionView & {
  /** This many files were rejected, but no text was. */
  readonly refusedFiles?: number;
  /** This many comments were rejected, but no text and no files were. */
  readonly refusedComments?: number;
};

/** The refused edits are those of before a final restore (HI5): no one has to mend anything, and the page can be edited. */
export const isKeptAsFile = ({ receipt, error }: Pick<SessionView, 'receipt' | 'error'>): boolean =>
  receipt === 'refused' && error?.code === 'WF016';

/** Returns the session's own view unless something besides its edits is waiting. */
export function pageView(view: SessionView, queued: PendingPage | null, files: WaitingFiles | null): PageView {
  if (queued === null && files === null) return view;
  const { edits, oldestAt } = view.unsent;
  const oldest = [oldestAt, queued?.madeAt, files?.oldestAt].filter((at) => typeof at === 'number');
  const refused = files?.refused ?? 0;
  const isPageRefused = queued?.refused != null;
  return {
    ...view,
    receipt: receiptOf(view, isPageRefused || refused > 0),
    // HI5: the page is older than a restore that was final.
    ...(queued?.refused === 'WF016' ? { error: weftError('WF016') } : {}),
    ...(refused > 0 && !isPageRefused && view.receipt !== 'refused' ? { refusedFiles: refused } : {}),
    unsent: { edits: edits + (queued === null ? 0 : 1) + (files?.count ?? 0), oldestAt: Math.min(...oldest) },
    upToDate: false,
  };
}

/** The waiting changes of the comments of one page. */
export type WaitingComments = {
  readonly count: number;
  readonly oldestAt: number;
  readonly refused: number;
  /** The device could not store one of them. */
  readonly isOnlyHere: boolean;
  readonly texts: readonly string[];
};

/** Null if none waits. */
export function waitingComments(all: readonly WaitingComment[], document: DocumentId): WaitingComments | null {
  const waiting = all.filter(({ page }) => page === document);
  if (waiting.length === 0) return null;
  return {
    count: waiting.length,
    oldestAt: Math.min(...waiting.map(({ madeAt }) => madeAt)),
    refused: waiting.filter(({ isRefused }) => isRefused).length,
    isOnlyHere: waiting.some(({ isOnlyHere }) => isOnlyHere),
    texts: waiting.flatMap(({ text }) => text ?? []),
  };
}

/** Each waiting change of a comment counts as an edit. */
export function withComments(view: PageView, waiting: WaitingComments | null): PageView {
  if (waiting === null) return view;
  const { count, oldestAt, refused, isOnlyHere } = waiting;
  const { unsent } = view;
  const receipt = receiptOf(view, refused > 0);
  return {
    ...view,
    receipt: isOnlyHere && receipt !== 'refused' ? 'tab' : receipt,
    ...(refused > 0 && view.receipt !== 'refused' ? { refusedComments: refused } : {}),
    unsent: { edits: unsent.edits + count, oldestAt: Math.min(unsent.oldestAt ?? oldestAt, oldestAt) },
    upToDate: false,
  };
}

function receiptOf({ receipt, connection }: SessionView, isRefused: boolean): SessionView['receipt'] {
  if (isRefused) return 'refused';
  if (receipt !== 'saved' && receipt !== 'readonly') return receipt;
  return connection === 'offline' ? 'device' : 'sending';
}

/** The person may no longer read the page, and it has no unsent edits. */
export const isAccessLost = ({ error, unsent }: SessionView): boolean => error?.code === 'WF001' && unsent.edits === 0;

type Waiting = {
  readonly pendingAtom: Atom<PendingPage | null>;
  readonly waitingFilesAtom: Atom<WaitingFiles | null>;
  readonly waitingCommentsAtom: Atom<WaitingComments | null>;
};

/** The view, and parts of it that change seldom, so that a keystroke only re-renders the receipt. */
export function pageViewAtoms(sessionViewAtom: Atom<SessionView>, waiting: Waiting) {
  const ownViewAtom = atom((get) =>
    pageView(get(sessionViewAtom), get(waiting.pendingAtom), get(waiting.waitingFilesAtom)),
  );
  const viewAtom = atom((get) => withComments(get(ownViewAtom), get(waiting.waitingCommentsAtom)));
  const part = <Key extends keyof PageView>(key: Key): Atom<PageView[Key]> => atom((get) => get(viewAtom)[key]);
  return {
    viewAtom,
    phaseAtom: part('phase'),
    editableAtom: part('editable'),
    peersAtom: part('peers'),
    /** The presenter, the people whom this person leads as the presenter, and the watchers. */
    presenterAtom: part('presenter'),
    followersAtom: part('followers'),
    watchersAtom: part('watchers'),
    presentErrorAtom: part('presentError'),
    errorAtom: part('error'),
    roleAtom: part('role'),
    /** Hide the page's content. Comments that wait are no reason to show it. */
    isAccessLostAtom: atom((get) => isAccessLost(get(ownViewAtom))),
    connectionAtom: part('connection'),
    isRestoringAtom: part('isRestoring'),
    hasUnsentAtom: atom((get) => get(viewAtom).unsent.edits > 0),
    /** Time of the oldest edit that is not on the server. Null if there is none. */
    oldestUnsentAtom: atom((get) => get(viewAtom).unsent.oldestAt),
    receiptAtom: part('receipt'),
    /** The page as the server described it when it was opened. Null before. */
    openedAtom: part('document'),
  };
}
