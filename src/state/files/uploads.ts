// Uploads the files that wait on this device as soon as the server answers: two at a time, by one tab only, and each
// after its page exists on the server. A rejected file stays until the person decides.
import { type Atom, atom } from 'jotai/vanilla';
import { backoffMs } from '../../lib/async/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, isTemporary, weftError } from '../../protocol/errors.ts';
import { FILE_TEXTS } from '../../texts/file-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import type { AttachmentId, DocumentId } from '../../protocol/ids.ts';
import { PICTURE_TYPES } from '../../protocol/attachment.ts';
import type { FileCache, FileSource, FileStorage, FileVersion, QueuedFile, UploadState } from '../../ports/files.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

const MAX_AT_ONCE = 2;
/** Another tab is uploading it: check again later whether it is done. */
const RECHECK_MS = 1_000;
const VERSIONS = ['small', 'view', 'original'] as const;

/** The waiting files of one page. */
export type WaitingFiles = { readonly count: number; readonly oldestAt: number; readonly refused: number };

export interface Uploads {
  /** By attachment. One that is not in the map is uploaded, or someone else's. */
  readonly atom: Atom<ReadonlyMap<AttachmentId, UploadState & { readonly file: QueuedFile }>>;
  /** False if the device stores nothing. */
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

type UploadEntry = UploadState & { readonly file: QueuedFile };

export function uploads(options: {
  readonly store: AtomStore;
  readonly fileCache: FileCache;
  readonly storage: FileStorage;
  readonly timing: Timing;
  /** Resolves when the page is on the server, or with the reason why it is not. */
  readonly ensurePageCreated: (document: DocumentId) => Promise<Result<unknown, WeftError>>;
  /** This tab changed the queue. Other tabs should know. */
  readonly onChanged: () => void;
}): Uploads {
  const { store, fileCache, storage, timing } = options;
  const entriesAtom = atom<ReadonlyMap<AttachmentId, UploadEntry>>(new Map());
  const sending = new Map<AttachmentId, AbortController>();
  /** Failed uploads that wait for their next try. */
  const paused = new Set<AttachmentId>();
  let failures = 0;
  let stopRetry: Cancel | null = null;
  let isClosed = false;

  const entryOf = (id: AttachmentId) => store.get(entriesAtom).get(id);
  const put = (file: QueuedFile, state: UploadState) => {
    store.set(entriesAtom, new Map(store.get(entriesAtom)).set(file.id, { ...state, file }));
  };
  const drop = (id: AttachmentId) => {
    const rest = new Map(store.get(entriesAtom));
    if (rest.delete(id)) store.set(entriesAtom, rest);
  };

  const sendOnce = async (file: QueuedFile, signal: AbortSignal): Promise<Result<void, WeftError>> => {
    const page = await options.ensurePageCreated(file.document);
    if (!page.ok) return page;
    if (file.from !== null) return storage.copy(file.from, file);
    const created = await storage.create(file, file);
    if (!created.ok) return created;
    // Smaller versions first, so that people see the picture as soon as possible.
    const parts: FileVersion[] = [];
    for (const version of VERSIONS) {
      const blob = await fileCache.read(file.id, version).catch(() => null);
      if (blob !== null) parts.push({ version, blob });
    }
    if (parts.at(-1)?.version !== 'original') return err(weftError('unknown', 'its bytes are not on this device'));
    const all = parts.reduce((sum, { blob }) => sum + blob.size, 0) || 1;
    let before = 0;
    for (const part of parts) {
      const progress = (fraction: number) => {
        if (!signal.aborted)
          put(file, { state: 'sending', fraction: (before + fraction * part.blob.size) / all, why: null });
      };
      const stored = await storage.upload(file, part, progress, signal);
      // Without a smaller version, others load the next larger one.
      if (!stored.ok && (part.version === 'original' || isTemporary(stored.error))) return stored;
      before += part.blob.size;
    }
    return ok(undefined);
  };

  const send = async (file: QueuedFile): Promise<void> => {
    const abort = new AbortController();
    sending.set(file.id, abort);
    const release = await fileCache.lock(file.id).catch(() => () => undefined);
    try {
      // Ask the device, not this tab's memory: another tab may be uploading the file, or may have finished.
      const known = await fileCache.get(file.id).catch(() => file);
      if (known === null || abort.signal.aborted) return drop(file.id);
      if (release === null) {
        paused.add(file.id);
        timing.after(RECHECK_MS, () => {
          paused.delete(file.id);
          sendNext();
        });
        return;
      }
      put(file, { state: 'sending', fraction: 0, why: null });
      const sent = await sendOnce(file, abort.signal);
      if (abort.signal.aborted) return;
      if (sent.ok) {
        failures = 0;
        await fileCache.unqueue(file.id).catch(() => undefined);
        options.onChanged();
        return drop(file.id);
      }
      if (isTemporary(sent.error)) {
        put(file, { state: 'waiting', fraction: 0, why: null });
        paused.add(file.id);
        // Only a new sign-in helps, and it retries at once.
        if (sent.error.code !== 'WF003') retryLater();
        return;
      }
      const { code } = sent.error;
      await fileCache.refuse(file.id, code).catch(() => undefined);
      const why = code === 'unknown' ? FILE_TEXTS.failed : textOf(sent.error);
      put({ ...file, refused: code }, { state: 'failed', fraction: 0, why });
    } finally {
      sending.delete(file.id);
      release?.();
    }
  };

  const retryLater = () => {
    if (isClosed || stopRetry !== null) return;
    failures += 1;
    stopRetry = timing.after(backoffMs(failures, timing.random()), () => {
      stopRetry = null;
      sendAll();
    });
  };

  const next = (): QueuedFile | undefined => {
    if (isClosed) return undefined;
    return Array.from(store.get(entriesAtom).values()).find(
      ({ file, state }) => state === 'waiting' && !paused.has(file.id) && !sending.has(file.id),
    )?.file;
  };
  const sendNext = () => {
    while (sending.size < MAX_AT_ONCE) {
      const file = next();
      if (file === undefined) return;
      void send(file).then(sendNext);
    }
  };
  const sendAll = () => {
    paused.clear();
    sendNext();
  };

  const refresh = async () => {
    const files = await fileCache.queued().catch(() => []);
    if (isClosed) return;
    for (const file of files) if (entryOf(file.id) === undefined) put(file, stateOf(file));
    sendNext();
  };
  void refresh();

  const add = async (file: QueuedFile, parts: readonly FileVersion[]): Promise<boolean> => {
    try {
      await fileCache.queue(file, parts);
    } catch {
      return false;
    }
    put(file, stateOf(file));
    options.onChanged();
    sendNext();
    return true;
  };

  return {
    atom: entriesAtom,
    add,
    async putBack(document, source) {
      for (const id of await fileCache.originalsOf(document).catch(() => [])) {
        const original = await fileCache.read(id, 'original').catch(() => null);
        if (original === null || entryOf(id) !== undefined) continue;
        const isPicture = PICTURE_TYPES.includes(original.type);
        const answer = await source.download(id, isPicture ? 'small' : 'original');
        if (answer.ok || answer.error.code !== 'WF001' || isClosed) continue;
        const about = { name: isPicture ? 'Picture' : 'File', mime: original.type, bytes: original.size };
        await add({ document, id, ...about, madeAt: timing.now(), from: null, refused: null }, []);
      }
    },
    cancel(id) {
      sending.get(id)?.abort();
      drop(id);
      void fileCache.unqueue(id).catch(() => undefined);
    },
    retry(id) {
      const entry = entryOf(id);
      if (entry === undefined || entry.state === 'sending') return;
      const file = { ...entry.file, refused: null };
      void fileCache.refuse(id, null).catch(() => undefined);
      put(file, stateOf(file));
      paused.delete(id);
      sendNext();
    },
    sendAll() {
      stopRetry?.();
      stopRetry = null;
      sendAll();
    },
    refresh,
    close() {
      isClosed = true;
      stopRetry?.();
      for (const abort of sending.values()) abort.abort();
    },
  };
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

const stateOf = ({ refused }: QueuedFile): UploadState =>
  refused === null
    ? { state: 'waiting', fraction: 0, why: null }
    : { state: 'failed', fraction: 0, why: refused === 'unknown' ? FILE_TEXTS.failed : textOf(weftError(refused)) };
