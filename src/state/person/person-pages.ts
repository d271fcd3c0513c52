// The pages that are open in this tab, also those that are open only to send their edits.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from '../../protocol/ids.ts';
import { type RefCounted, refCounted } from '../../lib/async/ref-counted.ts';
import { pageFiles } from '../files/page-files.ts';
import { waitingFiles } from '../files/uploads.ts';
import { type LiveCounts, NO_LIVE_COUNTS, sumOfLiveCounts } from '../page/live-counts.ts';
import { type OpenPage, openPage } from '../page/open-page.ts';
import type { Store } from '../store.ts';
import { pendingPage } from '../workspace/pending-pages.ts';
import type { DeviceQueues } from './device-queues.ts';
import type { PersonPorts } from './person-ports.ts';

export interface PersonPages {
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  /** How live updates fared on all pages since this tab was opened, or since the sign-in. */
  readonly readLiveCounts: () => LiveCounts;
}

const PAGE_LINGERS_MS = 2_000;

export function personPages(options: {
  readonly store: Store;
  readonly ports: PersonPorts;
  readonly queues: DeviceQueues;
  /** Runs when a page is shown for the first time. */
  readonly onShown: () => void;
  /** Runs when the person may no longer read a page. */
  readonly onAccessLost: (document: DocumentId) => void;
  /** Runs when a page is closed and its session has ended, before its unsent edits are read again. */
  readonly onClosed: (page: OpenPage) => void;
}): PersonPages {
  const { store, ports, queues } = options;
  const { timing } = ports;
  const { sourceOf, cache: fileCache, maker, objectUrls } = ports.files;
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
        files: pageFiles({
          document: documentId,
          source: sourceOf(documentId),
          fileCache,
          uploads: queues.uploads,
          maker,
          objectUrls,
          store,
          timing,
        }),
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
    readLiveCounts: () =>
      sumOfLiveCounts([closedLiveCounts, ...pages.openValues().map((page) => page.readLiveCounts())]),
  };
}
