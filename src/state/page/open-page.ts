// One open page as atoms. The session lives outside React and moves the bytes. Views get plain frozen values and pass
// the session itself only to the editor.
import { type Atom, atom } from 'jotai/vanilla';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { remoteDeletions } from '../../sync/updates/remote-deletions.ts';
import type { Session } from '../../sync/session/session-api.ts';
import type { LiveDiagnostics, SessionView } from '../../sync/session/views.ts';
import { type PageView, pageView } from './page-view.ts';
import { toBase64 } from '../../lib/bytes.ts';
import type { Timing } from '../offline/cached-list.ts';
import { type LastEdit, trackLastEdit } from './last-edit.ts';
import { type LiveCounts, NO_LIVE_COUNTS, PageLiveCounts } from './live-counts.ts';
import type { PendingPage, UnsentCopy } from '../../ports/device.ts';
import type { WritableFiles } from '../../ports/files.ts';
import type { OpenPageFiles } from '../files/page-files.ts';
import type { AtomStore } from '../store.ts';
import type { WaitingFiles } from '../files/uploads.ts';

export interface OpenPage {
  readonly documentId: DocumentId;
  /** Null until the session code is loaded. */
  readonly sessionAtom: Atom<Session | null>;
  readonly viewAtom: Atom<PageView>;
  /** The page in the queue of pages to create. Null if the server has it. */
  readonly pendingAtom: Atom<PendingPage | null>;
  /** The title in the document, ahead of every list. Null before the page is ready. */
  readonly titleAtom: Atom<string | null>;
  /** Parts of the view that change seldom, so that a keystroke only re-renders the receipt. */
  readonly phaseAtom: Atom<SessionView['phase']>;
  readonly editableAtom: Atom<boolean>;
  readonly peersAtom: Atom<SessionView['peers']>;
  /** The presenter, the people whom this person leads as the presenter, and the watchers. */
  readonly presenterAtom: Atom<SessionView['presenter']>;
  readonly followersAtom: Atom<SessionView['followers']>;
  readonly watchersAtom: Atom<SessionView['watchers']>;
  readonly presentErrorAtom: Atom<SessionView['presentError']>;
  readonly errorAtom: Atom<WeftError | null>;
  readonly roleAtom: Atom<SessionView['role']>;
  /** The person may no longer read the page, and it has no unsent edits: hide its content. */
  readonly isAccessLostAtom: Atom<boolean>;
  readonly connectionAtom: Atom<SessionView['connection']>;
  readonly hasUnsentAtom: Atom<boolean>;
  /** Time of the oldest edit that is not on the server. Null if there is none. */
  readonly oldestUnsentAtom: Atom<number | null>;
  readonly receiptAtom: Atom<SessionView['receipt']>;
  /** The page as the server described it when it was opened. Null before. */
  readonly openedAtom: Atom<SessionView['document']>;
  /** The last edit saved or seen while the page is open here. Changes a few times a minute at most. */
  readonly lastEditAtom: Atom<LastEdit | null>;
  readonly getView: () => PageView;
  /** Replaces the title, as an edit of this person. Does nothing before the page is ready. */
  readonly setTitle: (title: string) => void;
  /** The page's pictures and files. */
  readonly files: WritableFiles;
  /** How live updates go out and come in now. Null until the session code is loaded. */
  readonly readLive: () => LiveDiagnostics | null;
  /** The same since the page was opened, with every reason why own edits went out only as rows. */
  readonly readLiveCounts: () => LiveCounts;
  readonly retry: () => void;
  /** Opens a page that was closed to this person once more, because they got access. */
  readonly reopen: () => Promise<void>;
  /** Null if nothing is unsent or nothing is open. */
  readonly unsentFile: () => Uint8Array<ArrayBuffer> | null;
  /** The unsent edits of this tab in readable form. Null if nothing is open. */
  readonly unsentCopy: () => UnsentCopy | null;
  /**
   * After closing: true if the page's text copy for lists and search is out of date. The next opening with network
   * saves it.
   */
  readonly isCopyDue: () => boolean;
  readonly close: () => Promise<void>;
}

/**
 * The meaning of the page's document, injected by `src/app/wire`, because state does not load Yjs before a page is
 * opened.
 */
export type OpenedSession = {
  readonly session: Session;
  readonly readTitle: (doc: Y.Doc) => string;
  readonly writeTitle: (doc: Y.Doc, title: string) => void;
  readonly readText: (doc: Y.Doc) => string;
  /** The whole page as one Yjs update. */
  readonly readState: (doc: Y.Doc) => Uint8Array<ArrayBuffer>;
  /** Releases the page's lock once the session is closed. */
  readonly release: Cancel;
};

/** Missed rows are fetched after the topic is joined. */
const CATCHING_UP_MS = 3_000;

export const OPENING: SessionView = Object.freeze({
  phase: 'opening',
  receipt: 'opening',
  unsent: { edits: 0, oldestAt: null },
  lastSaved: null,
  lastN: 0,
  ackedN: 0,
  upToDate: false,
  changedAt: null,
  connection: 'reconnecting',
  retryAt: null,
  role: null,
  editable: false,
  error: null,
  document: null,
  workspace: null,
  peers: [],
  rebuilds: 0,
  isRestoring: false,
  puttingBack: null,
  damaged: [],
  size: 'ordinary',
  pace: 'full',
  wrongSnapshot: null,
  presenter: null,
  followers: null,
  presentError: null,
  watchers: null,
});

export function openPage(options: {
  readonly documentId: DocumentId;
  readonly store: AtomStore;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly open: (documentId: DocumentId) => Promise<OpenedSession>;
  /** Set while the page waits to be created on the server. */
  readonly pendingAtom: Atom<PendingPage | null>;
  readonly files: OpenPageFiles & WritableFiles;
  /** The page's files that wait for their upload. */
  readonly waitingFilesAtom: Atom<WaitingFiles | null>;
  /**
   * Runs when the first edit becomes unsent or the last one is sent, so that the state of the whole device is read
   * again.
   */
  readonly onUnsentChanged: () => void;
  /** Runs when the page has been compared with a server that was restored from an earlier state. */
  readonly onRestored: () => void;
  /** Runs once, when the page is shown. */
  readonly onShown: () => void;
  /** Runs once, at the first edit made here. */
  readonly onEdited: () => void;
  /** Runs once, when the server denies reading the page and nothing here is unsent. */
  readonly onAccessLost: () => void;
  readonly onTitleChanged: (title: string) => void;
}): OpenPage {
  const { documentId, store, timing } = options;
  const lastEdit = trackLastEdit(store, timing);
  const sessionAtom = atom<Session | null>(null);
  const sessionViewAtom = atom<SessionView>(OPENING);
  const viewAtom = atom((get) =>
    pageView(get(sessionViewAtom), get(options.pendingAtom), get(options.waitingFilesAtom)),
  );
  const titleAtom = atom<string | null>(null);
  const liveCounts = new PageLiveCounts();
  const stops: Cancel[] = [];
  const reportShown = once(options.onShown);
  const reportEdited = once(options.onEdited);
  const reportAccessLost = once(options.onAccessLost);
  let readers: Pick<OpenedSession, 'readTitle' | 'writeTitle' | 'readText' | 'readState'> | null = null;
  let release: Cancel | null = null;
  let liveAt = 0;
  let closed = false;

  const attach = (opened: OpenedSession) => {
    const { session, readTitle } = opened;
    const updateTitle = () => {
      const title = readTitle(session.doc);
      if (title === store.get(titleAtom)) return;
      store.set(titleAtom, title);
      options.onTitleChanged(title);
    };
    const readView = () => {
      const before = store.get(sessionViewAtom);
      const view = session.getView();
      store.set(sessionViewAtom, view);
      liveCounts.observe(session.liveDiagnostics(), view.unsent.edits > 0);
      if (view.phase === 'ready' && store.get(titleAtom) === null) updateTitle();
      if (view.rebuilds !== before.rebuilds) listen();
      if (before.unsent.edits > 0 !== view.unsent.edits > 0) options.onUnsentChanged();
      if (view.lastSaved !== null && view.lastSaved !== before.lastSaved)
        lastEdit.record(session.user, view.lastSaved.at);
      if (view.connection === 'live' && before.connection !== 'live') liveAt = timing.now();
      if (before.isRestoring && !view.isRestoring && view.phase === 'ready') options.onRestored();
      if (view.phase === 'ready') reportShown();
      if (view.lastN > 0) reportEdited();
      if (isAccessLost(view)) reportAccessLost();
    };
    const afterTransaction = (transaction: Y.Transaction) => {
      const { phase, peers, connection } = session.getView();
      if (transaction.changed.size === 0 || phase !== 'ready') return;
      updateTitle();
      // Edits that arrive right after an absence are older than now. The lists are fetched again then and know their
      // times.
      if (transaction.local || connection !== 'live' || timing.now() < liveAt + CATCHING_UP_MS) return;
      for (const { by } of remoteDeletions(transaction) ?? []) {
        const peer = peers.find((one) => one.session === by);
        if (peer?.user != null) lastEdit.record(peer.user, timing.now());
      }
    };
    readers = opened;
    release = opened.release;
    // One listener per document, attached before the first render that sees it.
    let doc: Y.Doc | null = null;
    const listen = () => {
      doc?.off('afterTransaction', afterTransaction);
      doc = session.doc;
      doc.on('afterTransaction', afterTransaction);
    };
    listen();
    stops.push(session.subscribe(readView), () => doc?.off('afterTransaction', afterTransaction));
    readView();
    store.set(sessionAtom, session);
  };

  const open = () =>
    options.open(documentId).then(
      async (opened) => {
        if (!closed) return attach(opened);
        await opened.session.close();
        return opened.release();
      },
      // The editor's code did not load: the network went away between the first screen and this page.
      (error: unknown) => {
        store.set(sessionViewAtom, { ...OPENING, phase: 'failed', error: weftError('WF011', String(error)) });
      },
    );
  let opening = open();
  const closeSession = async () => {
    for (const stop of stops.splice(0)) stop();
    await store.get(sessionAtom)?.close();
    release?.();
    release = null;
  };

  const readLive = () => store.get(sessionAtom)?.liveDiagnostics() ?? null;

  const unsentFile = () => {
    const session = store.get(sessionAtom);
    if (session === null) return null;
    // If the server does not have the page, the edits alone do not contain all of it.
    if (store.get(options.pendingAtom) !== null) return readers?.readState(session.doc) ?? null;
    return session.getView().unsent.edits === 0 ? null : session.unsentFile();
  };

  return {
    documentId,
    sessionAtom,
    viewAtom,
    pendingAtom: options.pendingAtom,
    titleAtom,
    phaseAtom: atom((get) => get(viewAtom).phase),
    editableAtom: atom((get) => get(viewAtom).editable),
    peersAtom: atom((get) => get(viewAtom).peers),
    presenterAtom: atom((get) => get(viewAtom).presenter),
    followersAtom: atom((get) => get(viewAtom).followers),
    watchersAtom: atom((get) => get(viewAtom).watchers),
    presentErrorAtom: atom((get) => get(viewAtom).presentError),
    errorAtom: atom((get) => get(viewAtom).error),
    roleAtom: atom((get) => get(viewAtom).role),
    isAccessLostAtom: atom((get) => isAccessLost(get(viewAtom))),
    connectionAtom: atom((get) => get(viewAtom).connection),
    hasUnsentAtom: atom((get) => get(viewAtom).unsent.edits > 0),
    oldestUnsentAtom: atom((get) => get(viewAtom).unsent.oldestAt),
    receiptAtom: atom((get) => get(viewAtom).receipt),
    openedAtom: atom((get) => get(viewAtom).document),
    lastEditAtom: lastEdit.atom,
    getView: () => store.get(viewAtom),
    setTitle(title) {
      const session = store.get(sessionAtom);
      if (session !== null && store.get(viewAtom).phase === 'ready') readers?.writeTitle(session.doc, title);
    },
    files: options.files,
    readLive,
    readLiveCounts() {
      const live = readLive();
      return live === null ? NO_LIVE_COUNTS : liveCounts.read(live);
    },
    retry() {
      store.get(sessionAtom)?.retry();
      options.files.retryLoading();
    },
    async reopen() {
      const session = store.get(sessionAtom);
      if (closed || session?.getView().phase !== 'failed') return;
      const ended = closeSession();
      store.set(sessionAtom, null);
      store.set(sessionViewAtom, OPENING);
      opening = ended.then(() => (closed ? undefined : open()));
      await opening;
    },
    unsentFile,
    unsentCopy() {
      const [session, bytes] = [store.get(sessionAtom), unsentFile()];
      if (session === null || bytes === null || readers === null) return null;
      const { doc } = session;
      return {
        document: documentId,
        title: readers.readTitle(doc),
        text: readers.readText(doc),
        edits: store.get(viewAtom).unsent.edits,
        update: toBase64(bytes),
      };
    },
    isCopyDue: () => store.get(sessionAtom)?.isCopyDue ?? false,
    async close() {
      closed = true;
      for (const stop of stops.splice(0)) stop();
      lastEdit.close();
      options.files.close();
      await opening;
      await closeSession();
    },
  };
}

const isAccessLost = ({ error, unsent }: SessionView): boolean => error?.code === 'WF001' && unsent.edits === 0;

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
