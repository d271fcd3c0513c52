// The pages that are open in this tab, also those that are open only to send their edits.
import { type Atom, type PrimitiveAtom, atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type RefCounted, refCounted } from '../../lib/async/ref-counted.ts';
import { type PersonPageFiles, pageFiles } from '../files/page-files.ts';
import { waitingFiles } from '../files/uploads.ts';
import { type LiveCounts, NO_LIVE_COUNTS, sumOfLiveCounts } from '../page/live-counts.ts';
import { type OpenPage, openPage } from '../page/open-page.ts';
import { waitingComments } from '../page/page-view.ts';
import type { AtomStore } from '../store.ts';
import { pendingPage } from '../workspace/pending/pending-pages.ts';
import type { DeviceQueues } from './device-queues.ts';
import type { PersonPorts } from './person-ports.ts';
import { type UnsentSender, unsentSender } from './send-unsent.ts';

export interface PersonPages {
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  /** Sends the edits of pages that are not open. */
  readonly sender: UnsentSender;
  /** The pictures and files of a page that need not be open. Close them after use. */
  readonly filesOf: (document: DocumentId) => PersonPageFiles;
  /** How live updates fared on all pages since this tab was loaded, or since the sign-in. */
  readonly readLiveCounts: () => LiveCounts;
}

/** A page that no view shows stays open this long, so that someone who comes straight back finds it as it was. */
const PAGE_LINGERS_MS = 2_000;

export function personPages(options: {
  readonly store: AtomStore;
  readonly ports: PersonPorts;
  readonly queues: DeviceQueues;
  /** The pages that are open now are put into it. */
  readonly openPagesAtom: PrimitiveAtom<readonly OpenPage[]>;
  /** Runs once for each page that is opened, when it is shown. */
  readonly onShown: () => void;
  /** Runs when the person may no longer read a page. */
  readonly onAccessLost: (document: DocumentId) => void;
}): PersonPages {
  const { store, ports, queues, openPagesAtom } = options;
  const { timing } = ports;
  const { sourceOf } = ports.files;
  const { uploads, unsent } = queues;
  let closedLiveCounts = NO_LIVE_COUNTS;

  const filesOf = (document: DocumentId) =>
    pageFiles({ ...ports.files, document, source: sourceOf(document), uploads, store, timing });
  const pages: RefCounted<DocumentId, OpenPage> = refCounted({
    open: (documentId: DocumentId, closing) =>
      openPage({
        documentId,
        store,
        timing,
        async open(id) {
          // The page may have been closed a moment ago: its last edits go out first.
          await closing;
          return ports.openSession(id, () => queues.pendingPages.create(id));
        },
        pendingAtom: atom((get) => pendingPage(get(queues.pendingPages.atom), documentId)),
        waitingFilesAtom: atom((get) => waitingFiles(get(uploads.atom), documentId)),
        personCommentsAtom: queues.comments.atom,
        waitingCommentsAtom: atom((get) => waitingComments(get(queues.comments.waitingAtom), documentId)),
        files: filesOf(documentId),
        onUnsentChanged: queues.changed,
        // The server had lost edits, and files with them: this device uploads again those that it has.
        onRestored: () => void uploads.putBack(documentId, sourceOf(documentId)),
        onShown() {
          options.onShown();
          void queues.comments.load();
        },
        onEdited: () => ports.cachedDocuments.noteEdited(),
        onAccessLost: () => options.onAccessLost(documentId),
        onTitleChanged: (title) => queues.pendingPages.saveTitle(documentId, title),
      }),
    async close(page) {
      closedLiveCounts = sumOfLiveCounts([closedLiveCounts, page.readLiveCounts()]);
      await page.close();
      sender.closed(page);
      // Any tab may send its edits now.
      queues.changed();
      void unsent.refresh();
    },
    lingerMs: PAGE_LINGERS_MS,
    after: timing.after,
    changed: () => store.set(openPagesAtom, pages.openValues()),
  });

  const sender = unsentSender({ store, pages, timing, unsent });

  return {
    pages,
    openPagesAtom,
    sender,
    filesOf,
    readLiveCounts: () =>
      sumOfLiveCounts([closedLiveCounts, ...pages.openValues().map((page) => page.readLiveCounts())]),
  };
}
