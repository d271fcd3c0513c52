// Pages that the server does not have: created on this device, or lost by a restored server. A new one is stored with
// its first row, so that it opens like any cached page.
import { estimateBytes } from 'weft-sync/browser/storage/log-database.ts';
import { ON_DISK, completeAll } from 'weft-sync/browser/storage/private-database.ts';
import type { StoredMeta } from 'weft-sync/ports.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { PendingPage, PendingPageQueue } from '../../../ports/device.ts';
import { storedPendingPage } from './stored-pages.ts';
import { DOCUMENT_STORES, type WeftDatabase, deleteDocument } from './weft-database.ts';

/** The port's queue, except that `add` gets the page's first row: `src/app/wire/device.ts` makes it. */
export type StoredPageQueue = Omit<PendingPageQueue, 'add'> & {
  add(page: PendingPage, meta: StoredMeta, seed: Row): Promise<void>;
};

export function pendingPageQueue({ database }: WeftDatabase): StoredPageQueue {
  return {
    async add(page, meta, seed) {
      const document = page.id;
      const tx = (await database.use()).transaction(['newPages', 'documents', 'rows'], 'readwrite', ON_DISK);
      await completeAll(tx, [
        tx.objectStore('newPages').put(page),
        tx.objectStore('documents').put({ document, meta, openedAt: page.madeAt, bytes: estimateBytes([seed]) }),
        tx.objectStore('rows').put({ document, ...seed }),
      ]);
    },
    async addLost(page) {
      const tx = (await database.use()).transaction('newPages', 'readwrite');
      const added = tx.store.getKey(page.id).then((key) => key ?? tx.store.put(page));
      await completeAll(tx, [added]);
    },
    async list() {
      const pages = await (await database.use()).getAll('newPages');
      return pages.flatMap((page) => parseOrNull(storedPendingPage, page) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async get(id) {
      return parseOrNull(storedPendingPage, await (await database.use()).get('newPages', id));
    },
    /** Changes the page if it is still queued. Another tab may have created it on the server meanwhile. */
    async change(id, change) {
      const tx = (await database.use()).transaction('newPages', 'readwrite');
      const changed = tx.store.get(id).then((page) => page && tx.store.put({ ...page, ...change }));
      await completeAll(tx, [changed]);
    },
    /** Removes the page from the queue, because the server has it. */
    async remove(id) {
      await (await database.use()).delete('newPages', id);
    },
    /** Deletes the page with everything that is stored of it. */
    async drop(id) {
      const tx = (await database.use()).transaction(DOCUMENT_STORES, 'readwrite');
      await completeAll(tx, deleteDocument(tx, id));
    },
  };
}
