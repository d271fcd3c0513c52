// One open page as atoms. The session lives outside React and moves the bytes; views see plain frozen values, and
// hand the session itself only to the editor.
import { type Atom, atom } from 'jotai/vanilla';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { remoteDeletions } from '../../sync/updates/remote-deletions.ts';
import type { Session } from '../../sync/session/session-api.ts';
import type { SessionView } from '../../sync/session/views.ts';
import { type PageView, pageView } from './page-view.ts';
import { toBase64 } from '../../lib/bytes.ts';
import type { Timing } from '../offline/cached-list.ts';
import { type LastEdit, trackLastEdit } from './last-edit.ts';
import type { PendingPage, UnsentCopy } from '../ports.ts';
import type { WritableFiles } from '../file-ports.ts';
import type { OpenPageFiles } from '../files/page-files.ts';
import type { Store } from '../store.ts';
import type { WaitingFiles } from '../files/uploads.ts';

export interface OpenPage {
  readonly documentId: DocumentId;
  /** Null until the code of sessions is loaded. */
  readonly sessionAtom: Atom<Session | null>;
  readonly viewAtom: Atom<PageView>;
  /** The page as it waits to be made on the server; null when the server has it. */
  readonly pendingAtom: Atom<PendingPage | null>;
  /** The title as it stands in the text, ahead of every list; null before the page is ready. */
  readonly titleAtom: Atom<string | null>;
  /** Slices that change seldom, so that a keystroke re-renders the receipt alone. */
  readonly phaseAtom: Atom<SessionView['phase']>;
  readonly editableAtom: Atom<boolean>;
  readonly rosterAtom: Atom<SessionView['peers']>;
  readonly errorAtom: Atom<WeftError | null>;
  readonly roleAtom: Atom<SessionView['role']>;
  /** Nothing of it stays in view for who may not read it any more; words that are nowhere else do. */
  readonly isAccessLostAtom: Atom<boolean>;
  readonly connectionAtom: Atom<SessionView['connection']>;
  readonly hasUnsentAtom: Atom<boolean>;
  /** When the oldest edit was made that is not on the server; null when there is none. */
  readonly oldestUnsentAtom: Atom<number | null>;
  readonly receiptAtom: Atom<SessionView['receipt']>;
  /** The page as the server had it when it was opened; null before. */
  readonly openedAtom: Atom<SessionView['document']>;
  /** The last edit that was saved or seen while it is open here; changes a few times a minute at most. */
  readonly lastEditAtom: Atom<LastEdit | null>;
  readonly getView: () => PageView;
  /** Its pictures and files. */
  readonly files: WritableFiles;
  readonly retry: () => void;
  /** Null when nothing waits, or nothing is open. */
  readonly unsentFile: () => Uint8Array<ArrayBuffer> | null;
  /** What this tab holds of it that is on no server, readable; null when nothing is open. */
  readonly unsentCopy: () => UnsentCopy | null;
  /** After closing: lists have not heard its last words, and the next opening with network makes up for it. */
  readonly isCopyDue: () => boolean;
  readonly close: () => Promise<void>;
}

/** What the page's document means, injected by `src/app/wire.ts`: state does not load Yjs before a page is opened. */
export type OpenedSession = {
  readonly session: Session;
  readonly readTitle: (doc: Y.Doc) => string;
  readonly readText: (doc: Y.Doc) => string;
  /** The whole page as one Yjs update. */
  readonly readState: (doc: Y.Doc) => Uint8Array<ArrayBuffer>;
  /** No tab-wide resource of the page is needed any more. */
  readonly release: Cancel;
};

/** Rows that were missed are fetched once the topic is joined. */
const CATCHING_UP_MS = 3_000;

export const OPENING: SessionView = Object.freeze({
  phase: 'opening',
  receipt: 'opening',
  unsent: { edits: 0, oldestAt: null },
  lastSaved: null,
  lastN: 0,
  ackedN: 0,
  upToDate: false,
  connection: 'reconnecting',
  retryAt: null,
  role: null,
  editable: false,
  error: null,
  document: null,
  workspace: null,
  peers: [],
  rebuilds: 0,
  damaged: [],
  size: 'ordinary',
  wrongSnapshot: null,
});

export function openPage(options: {
  readonly documentId: DocumentId;
  readonly store: Store;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly open: (documentId: DocumentId) => Promise<OpenedSession>;
  /** While the server has not made it. */
  readonly pendingAtom: Atom<PendingPage | null>;
  readonly files: OpenPageFiles & WritableFiles;
  /** Those of its files that wait to be stored. */
  readonly waitingFilesAtom: Atom<WaitingFiles | null>;
  /** Told when edits begin or cease to wait, so that what is shown for the whole device is read anew. */
  readonly unsentChanged: () => void;
  /** Told once, when it is shown. */
  readonly shown: () => void;
  /** Told once, at the first edit made here. */
  readonly edited: () => void;
  /** Told once: the server does not let this person read it, and nothing of theirs waits. */
  readonly lost: () => void;
  readonly titled: (title: string) => void;
}): OpenPage {
  const { documentId, store, timing } = options;
  const lastEdit = trackLastEdit(store, timing);
  const sessionAtom = atom<Session | null>(null);
  const ownAtom = atom<SessionView>(OPENING);
  const viewAtom = atom((get) => pageView(get(ownAtom), get(options.pendingAtom), get(options.waitingFilesAtom)));
  const titleAtom = atom<string | null>(null);
  const leave: Cancel[] = [];
  const reportShown = once(options.shown);
  const reportEdited = once(options.edited);
  const reportAccessLost = once(options.lost);
  let readers: Pick<OpenedSession, 'readTitle' | 'readText' | 'readState'> | null = null;
  let release: Cancel | null = null;
  let liveAt = 0;
  let closed = false;

  const attach = (opened: OpenedSession) => {
    const { session, readTitle } = opened;
    const nameIt = () => {
      const title = readTitle(session.doc);
      if (title === store.get(titleAtom)) return;
      store.set(titleAtom, title);
      options.titled(title);
    };
    const readView = () => {
      const before = store.get(ownAtom);
      const view = session.getView();
      store.set(ownAtom, view);
      if (view.phase === 'ready' && store.get(titleAtom) === null) nameIt();
      if (view.rebuilds !== before.rebuilds) listen();
      if (before.unsent.edits > 0 !== view.unsent.edits > 0) options.unsentChanged();
      if (view.lastSaved !== null && view.lastSaved !== before.lastSaved)
        lastEdit.note(session.user, view.lastSaved.at);
      if (view.connection === 'live' && before.connection !== 'live') liveAt = timing.now();
      if (view.phase === 'ready') reportShown();
      if (view.lastN > 0) reportEdited();
      if (isAccessLost(view)) reportAccessLost();
    };
    const afterTransaction = (transaction: Y.Transaction) => {
      const { phase, peers, connection } = session.getView();
      if (transaction.changed.size === 0 || phase !== 'ready') return;
      nameIt();
      // What comes right after an absence is older than now: lists are read anew then, and know when it was.
      if (transaction.local || connection !== 'live' || timing.now() < liveAt + CATCHING_UP_MS) return;
      for (const { by } of remoteDeletions(transaction) ?? []) {
        const peer = peers.find((one) => one.session === by);
        if (peer !== undefined) lastEdit.note(peer.user, timing.now());
      }
    };
    readers = opened;
    release = opened.release;
    // One listener per document, attached before the first render that sees it (field-style, section 3.4).
    let doc: Y.Doc | null = null;
    const listen = () => {
      doc?.off('afterTransaction', afterTransaction);
      doc = session.doc;
      doc.on('afterTransaction', afterTransaction);
    };
    listen();
    leave.push(session.subscribe(readView), () => doc?.off('afterTransaction', afterTransaction));
    readView();
    store.set(sessionAtom, session);
  };

  const opening = options.open(documentId).then(
    async (opened) => {
      if (!closed) return attach(opened);
      await opened.session.close();
      return opened.release();
    },
    // The code of the editor did not load: the network went away between the first screen and this page.
    (error: unknown) => {
      store.set(ownAtom, { ...OPENING, phase: 'failed', error: weftError('WF011', String(error)) });
    },
  );

  const unsentFile = () => {
    const session = store.get(sessionAtom);
    if (session === null) return null;
    // A page that is on no server is in no edit alone.
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
    rosterAtom: atom((get) => get(viewAtom).peers),
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
    files: options.files,
    retry() {
      store.get(sessionAtom)?.retry();
      options.files.retryLoading();
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
      for (const stop of leave) stop();
      lastEdit.close();
      options.files.close();
      await opening;
      await store.get(sessionAtom)?.close();
      release?.();
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
