// The server's file storage and a device's file cache, in memory. A test can make the storage refuse calls or delay uploads.
import { atom } from 'jotai/vanilla';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { ok, err, type Result } from '../../../src/lib/result.ts';
import type {
  FileCache,
  FileSource,
  FileStorage,
  AttachmentRef,
  QueuedFile,
  WritableFiles,
} from '../../../src/ports/files.ts';
import type { AttachmentVersion } from '../../../src/protocol/attachment.ts';
import { type AttachmentId, parseAttachmentId } from '../../../src/protocol/ids.ts';
import type { OpenPageFiles } from '../../../src/state/files/page-files.ts';
import type { UploadEntry } from '../../../src/state/files/upload-sender.ts';

const keyOf = ({ document, id }: AttachmentRef, version: AttachmentVersion) => `${document}/${id} ${version}`;

export function memoryStorage() {
  const stored = new Map<string, Blob>();
  const server = {
    stored,
    calls: [] as string[],
    /** When set, every call answers with this error. */
    refusal: null as WeftError | null,
    /** When set, uploads of this version are refused. */
    refuses: null as AttachmentVersion | null,
    /** When set, uploads wait for this promise. */
    hold: null as Promise<void> | null,
  };
  const answer = async <T>(
    call: string,
    value: () => T | Promise<T>,
    refusal = server.refusal,
  ): Promise<Result<T, WeftError>> => {
    server.calls.push(call);
    return refusal === null ? ok(await value()) : err(refusal);
  };
  const storage: FileStorage = {
    create: ({ id }, { isOfComment = false }) =>
      answer(`create ${id}${isOfComment ? ' of a comment' : ''}`, () => undefined),
    upload: (ref, { version, blob }, progress) =>
      answer(
        `upload ${ref.id} ${version}`,
        async () => {
          progress(0.5);
          await server.hold;
          stored.set(keyOf(ref, version), blob);
        },
        server.refuses === version ? weftError('WF001') : server.refusal,
      ),
    copy: (from, to) =>
      answer(`copy ${from.id} ${to.id}`, () => {
        const blob = stored.get(keyOf(from, 'original'));
        if (blob !== undefined) stored.set(keyOf(to, 'original'), blob);
      }),
    purge: () => answer('purge', () => undefined),
  };
  const sourceOf = (document: AttachmentRef['document']): FileSource => ({
    async download(id, version) {
      if (server.refusal !== null) return err(server.refusal);
      const blob = stored.get(keyOf({ document, id }, version));
      return blob === undefined ? err(weftError('WF001')) : ok(blob);
    },
  });
  return { server, storage, sourceOf };
}

/** Two fixtures with the same one are a device after a restart, or two tabs of one browser. */
export function memoryFileDevice() {
  const queue = new Map<AttachmentId, QueuedFile>();
  const blobs = new Map<string, Blob>();
  const taken = new Set<AttachmentId>();
  const fileCache: FileCache = {
    async queue(file, parts) {
      queue.set(file.id, file);
      for (const { version, blob } of parts) blobs.set(`${file.id} ${version}`, blob);
    },
    queued: async () => Array.from(queue.values()),
    get: async (id) => queue.get(id) ?? null,
    async refuse(id, refused) {
      const file = queue.get(id);
      if (file !== undefined) queue.set(id, { ...file, refused });
    },
    unqueue: async (id) => void queue.delete(id),
    read: async (id, version) => blobs.get(`${id} ${version}`) ?? null,
    put: async ({ id }, { version, blob }) => void blobs.set(`${id} ${version}`, blob),
    originalsOf: async () =>
      Array.from(blobs.keys()).flatMap((key) =>
        key.endsWith(' original') ? (parseAttachmentId(key.slice(0, 36)) ?? []) : [],
      ),
    async lock(id) {
      if (taken.has(id)) return null;
      taken.add(id);
      return () => void taken.delete(id);
    },
  };
  return { fileCache, queue, blobs };
}

/** The files of a page without files. */
export const noFiles: OpenPageFiles & WritableFiles = {
  document: null,
  watch: () => () => undefined,
  original: async () => err(weftError('WF001')),
  add: async () => err('full'),
  copy: (from) => from.id,
  cancel: () => undefined,
  retry: () => undefined,
  retryLoading: () => undefined,
  close: () => undefined,
};

/** What comments need of files, where none has a picture. */
export const noPictures = () => ({
  uploads: {
    atom: atom<ReadonlyMap<AttachmentId, UploadEntry>>(new Map()),
    add: async () => false,
    putBack: async () => undefined,
    cancel: () => undefined,
    retry: () => undefined,
    sendAll: () => undefined,
    refresh: async () => undefined,
    close: () => undefined,
  },
  files: {
    fileCache: memoryFileDevice().fileCache,
    sourceOf: memoryStorage().sourceOf,
    maker: { make: async () => null },
    objectUrls: { create: async () => null, revoke: () => undefined },
  },
});
