// The session of one open page: opened, followed, closed, and opened once more if the person got access.
import { atom } from 'jotai/vanilla';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import { followSession } from './follow-session.ts';

/**
 * A page's session, and functions that read and write its document. `src/app/wire` injects them, because state does not load
 * Yjs before a page is opened.
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

export const OPENING = Object.freeze<SessionView>({
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

export function sessionOfPage(options: {
  readonly documentId: DocumentId;
  readonly store: AtomStore;
  readonly timing: Pick<Timing, 'now'>;
  readonly open: (documentId: DocumentId) => Promise<OpenedSession>;
  readonly onView: (session: Session, view: SessionView, before: SessionView) => void;
  readonly onOthersEdit: Parameters<typeof followSession>[0]['onOthersEdit'];
  readonly onTitleChanged: (title: string) => void;
}) {
  const { store } = options;
  /** Null until the session code is loaded. */
  const openedSessionAtom = atom<OpenedSession | null>(null);
  const viewAtom = atom<SessionView>(OPENING);
  const titleAtom = atom<string | null>(null);
  let attached: { readonly opened: OpenedSession; readonly stopFollowing: Cancel } | null = null;
  let closed = false;

  const attach = (opened: OpenedSession) => {
    const { session } = opened;
    const stopFollowing = followSession({
      ...options,
      ...opened,
      opening: OPENING,
      onView(view, before) {
        store.set(viewAtom, view);
        options.onView(session, view, before);
      },
      onTitle(title) {
        if (title === store.get(titleAtom)) return;
        store.set(titleAtom, title);
        options.onTitleChanged(title);
      },
    });
    attached = { opened, stopFollowing };
    store.set(openedSessionAtom, opened);
  };
  const detach = async () => {
    const last = attached;
    attached = null;
    last?.stopFollowing();
    await last?.opened.session.close();
    last?.opened.release();
  };
  const open = () =>
    options.open(options.documentId).then(
      async (opened) => {
        if (!closed) return attach(opened);
        await opened.session.close();
        return opened.release();
      },
      // The code of sessions did not load, for example because the network went away after the first screen.
      (error: unknown) => {
        store.set(viewAtom, { ...OPENING, phase: 'failed', error: weftError('WF011', String(error)) });
      },
    );
  let opening = open();

  return {
    openedSessionAtom,
    viewAtom,
    titleAtom,
    async reopen(): Promise<void> {
      if (closed || attached?.opened.session.getView().phase !== 'failed') return;
      const detached = detach();
      store.set(openedSessionAtom, null);
      store.set(viewAtom, OPENING);
      opening = detached.then(() => (closed ? undefined : open()));
      await opening;
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([detach(), opening]);
    },
  };
}
