// The pictures and files on this device: those that wait for their upload, and copies of those that were shown or added
// here. They are in the person's own database, so that signing out deletes them too.
import * as v from 'valibot';
import { ON_DISK, completeAll } from 'weft-sync/browser/storage/private-database.ts';
import { storedRefusal } from 'weft-sync/browser/storage/stored-shapes.ts';
import { browserLocks } from 'weft-sync/browser/tabs/locks.ts';
import { parseSessionId } from 'weft-sync/protocol/ids.ts';
import { branded, count, documentId } from 'weft-sync/protocol/shapes.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { AttachmentRef, FileCache, FileVersion } from '../../../ports/files.ts';
import type { AttachmentVersion } from '../../../protocol/attachment.ts';
import { type AttachmentId, parseAttachmentId } from '../../../protocol/ids.ts';
import type { WeftDatabase } from './weft-database.ts';

/** Limit for copies of shown pictures. The least recently added go first; files that wait for their upload never do. */
const MAX_BYTES = 200_000_000;

const attachment = branded(parseAttachmentId);
const queuedFile = v.object({
  document: documentId,
  id: attachment,
  madeAt: v.fallback(v.number(), 0),
  name: v.string(),
  mime: v.string(),
  bytes: count,
  from: v.nullable(v.object({ document: documentId, id: attachment })),
  isOfComment: v.exactOptional(v.boolean()),
  refused: v.optional(storedRefusal, null),
});
/** Stores bytes, not Blobs: Safari loses Blobs in IndexedDB. */
const cachedFile = v.object({ type: v.string(), data: v.instance(ArrayBuffer) });

export function fileCache({ database }: WeftDatabase): FileCache {
  const toRecord = async ({ document, id }: AttachmentRef, { version, blob }: FileVersion) => {
    const data = await blob.arrayBuffer();
    return { id, version, document, type: blob.type, data, bytes: data.byteLength, at: Date.now() };
  };

  /** Frees space after a copy was added. Ids and sizes come from an index, so no bytes are read. */
  const evictOverLimit = async (): Promise<void> => {
    const tx = (await database.use()).transaction(['files', 'uploads'], 'readwrite');
    const queuedIds = new Set((await tx.objectStore('uploads').getAllKeys()).map(String));
    const files = tx.objectStore('files');
    const known: { readonly key: [AttachmentId, AttachmentVersion]; readonly bytes: number }[] = [];
    // Newest first. The key of the index contains time and size.
    for (let at = await files.index('byTime').openKeyCursor(null, 'prev'); at !== null; at = await at.continue()) {
      known.push({ key: at.primaryKey, bytes: at.key[1] });
    }
    let sum = 0;
    const evicted = known.filter(({ key, bytes }) => {
      sum += bytes;
      return sum > MAX_BYTES && !queuedIds.has(key[0]);
    });
    await completeAll(
      tx,
      evicted.map(({ key }) => files.delete(key)),
    );
  };

  return {
    async queue(file, parts) {
      const records = await Promise.all(parts.map((part) => toRecord(file, part)));
      const tx = (await database.use()).transaction(['uploads', 'files'], 'readwrite', ON_DISK);
      await completeAll(tx, [
        tx.objectStore('uploads').put(file),
        ...records.map((one) => tx.objectStore('files').put(one)),
      ]);
    },
    async queued() {
      const files = await (await database.use()).getAll('uploads');
      return files.flatMap((file) => parseOrNull(queuedFile, file) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async get(id) {
      return parseOrNull(queuedFile, await (await database.use()).get('uploads', id));
    },
    async refuse(id, code) {
      const tx = (await database.use()).transaction('uploads', 'readwrite');
      const mark = tx.store.get(id).then((file) => file && tx.store.put({ ...file, refused: code }));
      await completeAll(tx, [mark]);
    },
    async unqueue(id) {
      const tx = (await database.use()).transaction(['uploads', 'files'], 'readwrite');
      const { isOfComment } = parseOrNull(queuedFile, await tx.objectStore('uploads').get(id)) ?? {};
      // A comment's picture does not stay: the person may lose the right to read the comments.
      const bytes = isOfComment === true ? [tx.objectStore('files').delete(IDBKeyRange.bound([id], [id, []]))] : [];
      await completeAll(tx, [tx.objectStore('uploads').delete(id), ...bytes]);
    },
    async read(id, version) {
      const file = parseOrNull(cachedFile, await (await database.use()).get('files', [id, version]));
      return file && new Blob([file.data], { type: file.type });
    },
    async originalsOf(document) {
      const keys = await (
        await database.use()
      ).getAllKeysFromIndex('files', 'byDocument', IDBKeyRange.bound(document, document));
      return keys.flatMap(([id, version]) => (version === 'original' ? id : []));
    },
    async put(ref, part) {
      const stored = await toRecord(ref, part);
      await (await database.use()).put('files', stored);
      await evictOverLimit();
    },
    /** Uses the locks of sessions: ids of both are random and never collide. */
    async lock(id) {
      const name = parseSessionId(id);
      return name === null ? null : browserLocks().take(name);
    },
  };
}
