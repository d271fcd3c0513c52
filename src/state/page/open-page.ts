// One open page as atoms. The session lives outside React and moves the bytes. Views get plain values; the session itself is
// for the editor, and for what reads the page's document.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { toBase64 } from '../../lib/bytes.ts';
import type { PendingPage, UnsentCopy } from '../../ports/device.ts';
import type { WritableFiles } from '../../ports/files.ts';
import type { PageComments } from '../comments/page-comments.ts';
import type { PersonComments } from '../comments/person-comments.ts';
import type { OpenPageFiles } from '../files/page-files.ts';
import type { WaitingFiles } from '../files/uploads.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';
import { type LastEdit, trackLastEdit } from './last-edit.ts';
import { type LiveCounts, NO_LIVE_COUNTS, PageLiveCounts } from './live-counts.ts';
import { type PageEvents, pageEvents } from './page-events.ts';
import { type PageView, type WaitingComments, pageViewAtoms } from './page-view.ts';
import { type OpenedSession, sessionOfPage } from './session-of-page.ts';

export interface OpenPage extends ReturnType<typeof pageViewAtoms> {
  readonly documentId: DocumentId;
  /** Null until the session code is loaded. */
  readonly sessionAtom: Atom<Session | null>;
  /** The page in the queue of pages to create. Null if the server has it. */
  readonly pendingAtom: Atom<PendingPage | null>;
  /** The title in the document, ahead of every list. Null before the page is ready. */
  readonly titleAtom: Atom<string | null>;
  /** The last edit saved or seen while the page is open here. Changes at most every five seconds. */
  readonly lastEditAtom: Atom<LastEdit | null>;
  readonly getView: () => PageView;
  /** Replaces the title, as an edit of this person. Does nothing before the page is ready. */
  readonly setTitle: (title: string) => void;
  /** The page's pictures and files. */
  readonly files: WritableFiles;
  /** The page's comments. Null until the code for comments is loaded, once for all pages. */
  readonly commentsAtom: Atom<PageComments | null>;
  /** How live updates go out and come in now. Null until the session code is loaded. */
  readonly readLive: () => LiveDiagnostics | null;
  /** How live updates fared since the page was opened, with every reason why own edits went out only as rows. */
  readonly readLiveCounts: () => LiveCounts;
  readonly retry: () => void;
  /** Opens the page once more after it was closed to this person, because they got access. */
  readonly reopen: () => Promise<void>;
  /** Null if nothing is unsent or nothing is open. */
  readonly unsentFile: () => Uint8Array<ArrayBuffer> | null;
  /** The texts of the page's comments that the server does not have. */
  readonly unsentComments: () => readonly string[];
  /** `unsentFile` with the page's title and text. Null if nothing is unsent or nothing is open. */
  readonly unsentCopy: () => UnsentCopy | null;
  /**
   * After closing: true if the page's text copy for lists and search is out of date. The next opening with network
   * saves it.
   */
  readonly isCopyDue: () => boolean;
  readonly close: () => Promise<void>;
}

type OpenPageOptions = PageEvents & {
  readonly documentId: DocumentId;
  readonly store: AtomStore;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly open: (documentId: DocumentId) => Promise<OpenedSession>;
  /** Set while the page waits to be created on the server. */
  readonly pendingAtom: Atom<PendingPage | null>;
  readonly files: OpenPageFiles & WritableFiles;
  /** The page's files that wait for their upload. */
  readonly waitingFilesAtom: Atom<WaitingFiles | null>;
  /** Null until the code for comments is loaded. */
  readonly personCommentsAtom: Atom<Pick<PersonComments, 'ofPage'> | null>;
  /** The page's changes of comments that the server does not have yet. */
  readonly waitingCommentsAtom: Atom<WaitingComments | null>;
  readonly onTitleChanged: (title: string) => void;
};

export function openPage(options: OpenPageOptions): OpenPage {
  const { documentId, store, pendingAtom, files } = options;
  const lastEdit = trackLastEdit(store, options.timing);
  const liveCounts = new PageLiveCounts();
  const report = pageEvents(options);
  const page = sessionOfPage({
    ...options,
    onView(session, view, before) {
      liveCounts.observe(session.liveDiagnostics(), view.unsent.edits > 0);
      if (view.lastSaved !== null && view.lastSaved !== before.lastSaved)
        lastEdit.record(session.user, view.lastSaved.at);
      report(view, before);
    },
    onOthersEdit: lastEdit.record,
  });
  const sessionAtom = atom((get) => get(page.openedSessionAtom)?.session ?? null);
  const atoms = pageViewAtoms(page.viewAtom, options);
  const { viewAtom } = atoms;
  const commentsAtom = atom(
    (get) => get(options.personCommentsAtom)?.ofPage({ documentId, pendingAtom, ...atoms }) ?? null,
  );

  const readLive = () => store.get(sessionAtom)?.liveDiagnostics() ?? null;
  const unsentFile = () => {
    const opened = store.get(page.openedSessionAtom);
    if (opened === null) return null;
    const { session, readState } = opened;
    // If the server does not have the page, the edits alone do not contain all of it.
    if (store.get(pendingAtom) !== null) return readState(session.doc);
    return session.getView().unsent.edits === 0 ? null : session.unsentFile();
  };

  return {
    documentId,
    sessionAtom,
    pendingAtom,
    titleAtom: page.titleAtom,
    ...atoms,
    commentsAtom,
    lastEditAtom: lastEdit.atom,
    getView: () => store.get(viewAtom),
    setTitle(title) {
      const opened = store.get(page.openedSessionAtom);
      if (opened !== null && store.get(viewAtom).phase === 'ready') opened.writeTitle(opened.session.doc, title);
    },
    files,
    readLive,
    readLiveCounts() {
      const live = readLive();
      return live === null ? NO_LIVE_COUNTS : liveCounts.read(live);
    },
    retry() {
      store.get(sessionAtom)?.retry();
      files.retryLoading();
      store.get(commentsAtom)?.refresh();
    },
    reopen: () => page.reopen(),
    unsentFile,
    unsentComments: () => store.get(options.waitingCommentsAtom)?.texts ?? [],
    unsentCopy() {
      const [opened, bytes] = [store.get(page.openedSessionAtom), unsentFile()];
      if (opened === null || bytes === null) return null;
      const { doc } = opened.session;
      return {
        document: documentId,
        title: opened.readTitle(doc),
        text: opened.readText(doc),
        edits: store.get(viewAtom).unsent.edits,
        update: toBase64(bytes),
      };
    },
    isCopyDue: () => store.get(sessionAtom)?.isCopyDue ?? false,
    async close() {
      lastEdit.close();
      files.close();
      store.get(commentsAtom)?.close();
      await page.close();
    },
  };
}
