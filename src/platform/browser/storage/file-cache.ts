// What this device keeps of pictures and files: those that wait to be stored, with their bytes, and those that were shown
// (the `FileShelf` of src/state). In the person's own database, so that a sign-out takes them too.
import * as v from 'valibot';
import type { Cancel } from '../../../lib/cancel.ts';
import type { AttachmentVersion } from '../../../protocol/attachment.ts';
import { type WeftError, isWeftCode } from '../../../protocol/errors.ts';
import { type AttachmentId, type DocumentId, parseAttachmentId, parseSessionId } from '../../../protocol/ids.ts';
import { branded, count } from '../../../protocol/shapes.ts';
import { browserLocks } from '../tabs/locks.ts';
import { completeAll } from './private-database.ts';
import { documentId, parseStored } from './stored-shapes.ts';
import type { WeftDatabase } from './weft-database.ts';

/** Of pictures that were shown: the least recently added go. Those that wait never do. */
const MOST_BYTES = 200_000_000;

const attachment = branded(parseAttachmentId);
const refused = v.pipe(
  v.unknown(),
  v.transform((code): WeftError['code'] | null => (code == null ? null : isWeftCode(code) ? code : 'unknown')),
);
const queuedFile = v.object({
  document: documentId,
  id: attachment,
  madeAt: v.fallback(v.number(), 0),
  name: v.string(),
  mime: v.string(),
  bytes: count,
  from: v.nullable(v.object({ document: documentId, id: attachment })),
  refused,
});
/** Bytes, not Blobs: Safari loses Blobs that lie in IndexedDB. */
const cachedFile = v.object({ type: v.string(), data: v.instance(ArrayBuffer) });

type AttachmentRef = { readonly document: DocumentId; readonly id: AttachmentId };
type FileVersion = { readonly version: AttachmentVersion; readonly blob: Blob };

export function fileCache({ database }: WeftDatabase) {
  const line = async ({ document, id }: AttachmentRef, { version, blob }: FileVersion) => {
    const data = await blob.arrayBuffer();
    return { id, version, document, type: blob.type, data, bytes: data.byteLength, at: Date.now() };
  };

  /** Before something more is kept. Ids and sizes are read from an index: no bytes are. */
  const makeRoom = async (): Promise<void> => {
    const tx = (await database.use()).transaction(['files', 'uploads'], 'readwrite');
    const waiting = new Set((await tx.objectStore('uploads').getAllKeys()).map(String));
    const files = tx.objectStore('files');
    const known: { readonly key: [AttachmentId, AttachmentVersion]; readonly bytes: number }[] = [];
    // By time: the index's key says when and how many.
    for (let at = await files.index('byTime').openKeyCursor(null, 'prev'); at !== null; at = await at.continue()) {
      known.push({ key: at.primaryKey, bytes: at.key[1] });
    }
    let sum = 0;
    const gone = known.filter(({ key, bytes }) => {
      sum += bytes;
      return sum > MOST_BYTES && !waiting.has(key[0]);
    });
    await completeAll(
      tx,
      gone.map(({ key }) => files.delete(key)),
    );
  };

  return {
    async queue(file: v.InferOutput<typeof queuedFile>, parts: readonly FileVersion[]): Promise<void> {
      const lines = await Promise.all(parts.map((part) => line(file, part)));
      const tx = (await database.use()).transaction(['uploads', 'files'], 'readwrite');
      await completeAll(tx, [
        tx.objectStore('uploads').put(file),
        ...lines.map((one) => tx.objectStore('files').put(one)),
      ]);
    },
    async queued(): Promise<readonly v.InferOutput<typeof queuedFile>[]> {
      const files = await (await database.use()).getAll('uploads');
      return files.flatMap((file) => parseStored(queuedFile, file) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async get(id: AttachmentId): Promise<v.InferOutput<typeof queuedFile> | null> {
      return parseStored(queuedFile, await (await database.use()).get('uploads', id));
    },
    async refuse(id: AttachmentId, code: WeftError['code'] | null): Promise<void> {
      const tx = (await database.use()).transaction('uploads', 'readwrite');
      const mark = tx.store.get(id).then((file) => file && tx.store.put({ ...file, refused: code }));
      await completeAll(tx, [mark]);
    },
    async unqueue(id: AttachmentId): Promise<void> {
      await (await database.use()).delete('uploads', id);
    },
    async read(id: AttachmentId, version: AttachmentVersion): Promise<Blob | null> {
      const file = parseStored(cachedFile, await (await database.use()).get('files', [id, version]));
      return file && new Blob([file.data], { type: file.type });
    },
    async put(place: AttachmentRef, part: FileVersion): Promise<void> {
      const made = await line(place, part);
      await (await database.use()).put('files', made);
      await makeRoom();
    },
    /** The same locks as sessions have: ids of both are random and never meet. */
    async lock(id: AttachmentId): Promise<Cancel | null> {
      const name = parseSessionId(id);
      return name === null ? null : browserLocks().take(name);
    },
  };
}
