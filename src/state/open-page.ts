// One open page as atoms. The session lives outside React and moves the bytes; views see plain frozen values, and
// hand the session itself only to the editor.
import { type Atom, atom } from 'jotai/vanilla';
import type * as Y from 'yjs';
import type { Cancel } from '../lib/cancel.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { Session } from '../sync/session-api.ts';
import type { SessionView } from '../sync/view.ts';
import type { Store } from './store.ts';

export interface OpenPage {
  readonly documentId: DocumentId;
  /** Null until the code of sessions is loaded. */
  readonly sessionAtom: Atom<Session | null>;
  readonly viewAtom: Atom<SessionView>;
  /** The title as it stands in the text, ahead of every list; null before the page is ready. */
  readonly titleAtom: Atom<string | null>;
  /** Slices that change seldom, so that a keystroke re-renders the receipt alone. */
  readonly phaseAtom: Atom<SessionView['phase']>;
  readonly editableAtom: Atom<boolean>;
  readonly rosterAtom: Atom<SessionView['roster']>;
  readonly errorAtom: Atom<WeftError | null>;
  readonly connectionAtom: Atom<SessionView['connection']>;
  readonly getView: () => SessionView;
  readonly retry: () => void;
  /** Null when nothing waits, or nothing is open. */
  readonly unsentFile: () => Uint8Array<ArrayBuffer> | null;
  readonly close: () => Promise<void>;
}

/** What the page's document means, injected by `src/app/wire.ts`: state does not load Yjs before a page is opened. */
export type OpenedSession = {
  readonly session: Session;
  readonly readTitle: (doc: Y.Doc) => string;
};

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
  roster: [],
  rebuilds: 0,
  damaged: [],
});

export function openPage(options: {
  readonly documentId: DocumentId;
  readonly store: Store;
  readonly open: (documentId: DocumentId) => Promise<OpenedSession>;
  /** Told when edits begin or cease to wait, so that what is shown for the whole device is read anew. */
  readonly unsentChanged: () => void;
}): OpenPage {
  const { documentId, store } = options;
  const sessionAtom = atom<Session | null>(null);
  const viewAtom = atom<SessionView>(OPENING);
  const titleAtom = atom<string | null>(null);
  const leave: Cancel[] = [];
  let closed = false;

  const attach = ({ session, readTitle }: OpenedSession) => {
    const readView = () => {
      const before = store.get(viewAtom);
      const view = session.getView();
      store.set(viewAtom, view);
      if (view.phase === 'ready' && store.get(titleAtom) === null) store.set(titleAtom, readTitle(session.doc));
      if (view.rebuilds !== before.rebuilds) listen();
      if (before.unsent.edits > 0 !== view.unsent.edits > 0) options.unsentChanged();
    };
    const afterTransaction = (transaction: Y.Transaction) => {
      if (transaction.changed.size === 0 || session.getView().phase !== 'ready') return;
      store.set(titleAtom, readTitle(session.doc));
    };
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
    (opened) => {
      if (closed) return opened.session.close();
      attach(opened);
      return undefined;
    },
    // The code of the editor did not load: the network went away between the first screen and this page.
    (error: unknown) => {
      store.set(viewAtom, { ...OPENING, phase: 'failed', error: weftError('WF011', String(error)) });
    },
  );

  return {
    documentId,
    sessionAtom,
    viewAtom,
    titleAtom,
    phaseAtom: atom((get) => get(viewAtom).phase),
    editableAtom: atom((get) => get(viewAtom).editable),
    rosterAtom: atom((get) => get(viewAtom).roster),
    errorAtom: atom((get) => get(viewAtom).error),
    connectionAtom: atom((get) => get(viewAtom).connection),
    getView: () => store.get(viewAtom),
    retry: () => store.get(sessionAtom)?.retry(),
    unsentFile() {
      const session = store.get(sessionAtom);
      return session === null || session.getView().unsent.edits === 0 ? null : session.unsentFile();
    },
    async close() {
      closed = true;
      for (const stop of leave) stop();
      await opening;
      await store.get(sessionAtom)?.close();
      options.unsentChanged();
    },
  };
}
