// The documents cached on this device: list them, measure them, delete one. Deletes edits that exist nowhere else
// only if the person discards them.
import { documentRange, estimateBytes } from 'weft-sync/browser/storage/log-database.ts';
import { completeAll } from 'weft-sync/browser/storage/private-database.ts';
import { documentRecord } from 'weft-sync/browser/storage/stored-shapes.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { CachedDocuments } from '../../../ports/device.ts';
import type { DocumentLocks } from '../tabs/document-locks.ts';
import { DOCUMENT_STORES, type WeftDatabase, deleteByDocument, deleteDocument } from './weft-database.ts';

const CONTENTS = ['documents', 'snapshots', 'rows'] as const;
const UNSENT = ['outboxes', 'newPages', 'uploads'] as const;
const TOUCHED = [...CONTENTS, 'files', ...UNSENT] as const;

/** The part that needs neither the store of pages nor sessions; `src/app/wire/device.ts` adds the rest. */
export type CachedOnly = Pick<CachedDocuments, 'list' | 'forgetIfClosed' | 'discardIfClosed' | 'forgetIfSent'>;

export function cachedDocuments({ database }: WeftDatabase, locks: Pick<DocumentLocks, 'whileClosed'>): CachedOnly {
  const measure = async (document: DocumentId): Promise<number> => {
    const tx = (await database.use()).transaction(['snapshots', 'rows']);
    const [snapshot, rows] = await Promise.all([
      tx.objectStore('snapshots').get(document),
      tx.objectStore('rows').getAll(documentRange(document)),
      tx.done,
    ]);
    return estimateBytes(rows, snapshot?.state);
  };

  const discard = async (document: DocumentId): Promise<boolean> => {
    const tx = (await database.use()).transaction(DOCUMENT_STORES, 'readwrite');
    await completeAll(tx, deleteDocument(tx, document));
    return true;
  };

  /** Checks and deletes in one transaction, so that a concurrent edit is written either before or after it. */
  const forgetUnlessUnsent = async (document: DocumentId): Promise<boolean> => {
    const tx = (await database.use()).transaction(TOUCHED, 'readwrite');
    const [outboxes, pendingPage, uploads] = await Promise.all([
      tx.objectStore('outboxes').count(documentRange(document)),
      tx.objectStore('newPages').getKey(document),
      tx.objectStore('uploads').index('byDocument').count(document),
    ]);
    const isUnsent = outboxes > 0 || pendingPage !== undefined || uploads > 0;
    await completeAll(
      tx,
      isUnsent
        ? []
        : [
            tx.objectStore('documents').delete(document),
            tx.objectStore('snapshots').delete(document),
            tx.objectStore('rows').delete(documentRange(document)),
            // Delete its pictures too: this person may have lost the right to see them.
            deleteByDocument(tx.objectStore('files'), document),
          ],
    );
    return !isUnsent;
  };

  return {
    async list() {
      const tx = (await database.use()).transaction(['documents', ...UNSENT]);
      const [stored, outboxes, pendingPages, uploads] = await Promise.all([
        tx.objectStore('documents').getAll(),
        tx.objectStore('outboxes').getAllKeys(),
        tx.objectStore('newPages').getAllKeys(),
        tx.objectStore('uploads').getAll(),
        tx.done,
      ]);
      const uploading = uploads.map(({ document }) => document);
      const unsent = new Set([...outboxes.map(([document]) => document), ...pendingPages, ...uploading]);
      const records = stored.flatMap((line) => parseOrNull(documentRecord, line) ?? []);
      return Promise.all(
        records.map(async ({ document, openedAt, bytes }) => ({
          document,
          openedAt,
          bytes: bytes ?? (await measure(document)),
          isUnsent: unsent.has(document),
        })),
      );
    },
    forgetIfClosed: async (document) =>
      (await locks.whileClosed(document, () => forgetUnlessUnsent(document))) === true,
    discardIfClosed: async (document) => (await locks.whileClosed(document, () => discard(document))) === true,
    forgetIfSent: forgetUnlessUnsent,
  };
}
