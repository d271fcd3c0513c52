// The files that wait on this device for their upload. A rejected file stays until the person decides.
import type { Atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { AttachmentRef, FileCache, FileSource, FileVersion, QueuedFile } from '../../ports/files.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';
import type { AttachmentId } from '../../protocol/ids.ts';
import { MapAtom } from '../offline/map-atom.ts';
import type { AtomStore } from '../store.ts';
import { type UploadEntry, type UploadSenderOptions, uploadSender, waitingOrFailed } from './upload-sender.ts';

/** The waiting files of one page. */
export type WaitingFiles = { readonly count: number; readonly oldestAt: number; readonly refused: number };

export interface Uploads {
  /** By attachment. One that is not in the map is uploaded, or someone else's. */
  readonly atom: Atom<ReadonlyMap<AttachmentId, UploadEntry>>;
  /** False if the device cannot store the file: then it is not uploaded. */
  readonly add: (file: QueuedFile, parts: readonly FileVersion[]) => Promise<boolean>;
  /** Uploads again what the server has lost of a page's files, as far as their originals are here. */
  readonly putBack: (document: DocumentId, source: FileSource) => Promise<void>;
  readonly cancel: (id: AttachmentId) => void;
  readonly retry: (id: AttachmentId) => void;
  readonly sendAll: () => void;
  /**
   * Reads the queue again, because another tab may have added files. Files that it has uploaded are noticed on the next
   * try.
   */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

export function uploads(options: Omit<UploadSenderOptions, 'entries'> & { readonly store: AtomStore }): Uploads {
  const { fileCache, timing } = options;
  const entries = new MapAtom<AttachmentId, UploadEntry>(options.store);
  const put = (file: QueuedFile) => entries.set(file.id, waitingOrFailed(file));
  const sender = uploadSender({ ...options, entries });
  let isClosed = false;

  const refresh = async () => {
    const files = await fileCache.queued().catch(() => []);
    if (isClosed) return;
    for (const file of files) if (!entries.all.has(file.id)) put(file);
    sender.sendNext();
  };
  void refresh();

  const add = async (file: QueuedFile, parts: readonly FileVersion[]): Promise<boolean> => {
    try {
      await fileCache.queue(file, parts);
    } catch {
      return false;
    }
    put(file);
    options.onChanged();
    sender.sendNext();
    return true;
  };

  return {
    atom: entries.atom,
    add,
    async putBack(document, source) {
      for (const id of await fileCache.originalsOf(document).catch(() => [])) {
        const lost = entries.all.has(id) ? null : await lostFile(fileCache, source, { document, id });
        if (lost !== null && !isClosed) await add({ ...lost, madeAt: timing.now() }, []);
      }
    },
    cancel(id) {
      sender.stop(id);
      entries.delete(id);
      void fileCache.unqueue(id).catch(() => undefined);
    },
    retry(id) {
      const entry = entries.all.get(id);
      if (entry === undefined || entry.state === 'sending') return;
      void fileCache.refuse(id, null).catch(() => undefined);
      put({ ...entry.file, refused: null });
      sender.resume(id);
    },
    sendAll: sender.sendAll,
    refresh,
    close() {
      isClosed = true;
      sender.close();
    },
  };
}

/** A file of this device that the server has lost. Null if the server has it or does not say, or its original is not here. */
async function lostFile(
  fileCache: Pick<FileCache, 'read'>,
  source: FileSource,
  ref: AttachmentRef,
): Promise<Omit<QueuedFile, 'madeAt'> | null> {
  const original = await fileCache.read(ref.id, 'original').catch(() => null);
  if (original === null) return null;
  const isPicture = PICTURE_TYPES.includes(original.type);
  const answer = await source.download(ref.id, isPicture ? 'small' : 'original');
  if (answer.ok || answer.error.code !== 'WF001') return null;
  const about = { name: isPicture ? 'Picture' : 'File', mime: original.type, bytes: original.size };
  return { ...ref, ...about, from: null, refused: null };
}

/** Null if no file of the page waits. */
export function waitingFiles(
  entries: ReadonlyMap<AttachmentId, { readonly file: QueuedFile }>,
  document: DocumentId,
): WaitingFiles | null {
  const files = Array.from(entries.values(), ({ file }) => file).filter((file) => file.document === document);
  if (files.length === 0) return null;
  return {
    count: files.length,
    oldestAt: Math.min(...files.map(({ madeAt }) => madeAt)),
    refused: files.filter(({ refused }) => refused !== null).length,
  };
}
