// The pages that are open in this tab, also those that are open only to send their edits.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from '../../protocol/ids.ts';
import { type RefCounted, refCounted } from '../../lib/async/ref-counted.ts';
import type { PersonPageFiles } from '../files/page-files.ts';
import { waitingFiles } from '../files/uploads.ts';
import { type LiveCounts, NO_LIVE_COUNTS, sumOfLiveCounts } from '../page/live-counts.ts';
import { type OpenPage, openPage } from '../page/open-page.ts';
import type { AtomStore } from '../store.ts';
import { pendingPage } from '../workspace/pending-pages.ts';
import type { DeviceQueues } from './device-queues.ts';
import type { PersonPorts } from './person-ports.ts';

export interface PersonPages {
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  /** Resolves once a page that is open here has sent its edits, or after a few seconds. */
  readonly editsSent: (document: DocumentId) => Promise<void>;
  /** How live updates fared on all pages since this tab was opened, or since the sign-in. */
  readonly readLiveCounts: () => LiveCounts;
}

const PAGE_LINGERS_MS = 2_000;
/** Longer than an append takes. Without the server the edits wait on this device. */
const SENT_WITHIN_MS = 3_000;

export function personPages(options: {
  readonly store: AtomStore;
  readonly ports: PersonPorts;
  readonly queues: DeviceQueues;
  readonly filesOf: (document: DocumentId) => PersonPageFiles;
  /** Runs when a page is shown for the first time. */
  readonly onShown: () => void;
  /** Runs when the person may no longer read a page. */
  readonly onAccessLost: (document: DocumentId) => void;
  /** Runs when a page is closed and its session has ended, before its unsent edits are read again. */
  readonly onClosed: (page: OpenPage) => void;
}): PersonPages {
  const { store, ports, queues } = options;
  const { timing } = ports;
  const { sourceOf } = ports.files;
  const openPagesAtom = atom<readonly OpenPage[]>([]);
  let closedLiveCounts = NO_LIVE_COUNTS;

  const pages: RefCounted<DocumentId, OpenPage> = refCounted({
    open: (documentId: DocumentId, closing) =>
      openPage({
        documentId,
        store,
        timing,
        async open(id) {
          await closing;
          return ports.openSession(id, () => queues.pendingPages.create(id));
        },
        pendingAtom: atom((get) => pendingPage(get(queues.pendingPages.atom), documentId)),
        waitingFilesAtom: atom((get) => waitingFiles(get(queues.uploads.atom), documentId)),
        files: options.filesOf(documentId),
        onUnsentChanged: queues.changed,
        onRestored: () => void queues.uploads.putBack(documentId, sourceOf(documentId)),
        onShown: options.onShown,
        onEdited: () => ports.cachedDocuments.noteEdited(),
        onAccessLost: () => options.onAccessLost(documentId),
        onTitleChanged: (title) => queues.pendingPages.saveTitle(documentId, title),
      }),
    async close(page) {
      closedLiveCounts = sumOfLiveCounts([closedLiveCounts, page.readLiveCounts()]);
      await page.close();
      options.onClosed(page);
      // Any tab may send its edits now.
      queues.changed();
      void queues.unsent.refresh();
    },
    lingerMs: PAGE_LINGERS_MS,
    after: timing.after,
    changed: () => store.set(openPagesAtom, pages.openValues()),
  });

  return {
    pages,
    openPagesAtom,
    editsSent: (document) =>
      new Promise((done) => {
        const hasUnsentAtom = pages.peek(document)?.hasUnsentAtom;
        if (hasUnsentAtom === undefined || !store.get(hasUnsentAtom)) return done();
        const finish = () => {
          stop();
          stopTimer();
          done();
        };
        const stop = store.sub(hasUnsentAtom, () => store.get(hasUnsentAtom) || finish());
        const stopTimer = timing.after(SENT_WITHIN_MS, finish);
      }),
    readLiveCounts: () =>
      sumOfLiveCounts([closedLiveCounts, ...pages.openValues().map((page) => page.readLiveCounts())]),
  };
}
