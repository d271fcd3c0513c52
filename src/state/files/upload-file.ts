// Uploads one file that waits on this device: by one tab only, and after its page exists on the server.
import { type WeftError, isTemporary, weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { FileCache, FileStorage, FileVersion, QueuedFile } from '../../ports/files.ts';

export type UploadPorts = {
  readonly fileCache: FileCache;
  readonly storage: FileStorage;
  /** Resolves when the page is on the server, or with the reason why it is not. */
  readonly ensurePageCreated: (document: DocumentId) => Promise<Result<unknown, WeftError>>;
};

const VERSIONS = ['small', 'view', 'original'] as const;

/** `gone`: it was uploaded before, or no one wants it. `elsewhere`: another tab is uploading it. */
export type UploadOutcome = 'uploaded' | 'gone' | 'elsewhere' | WeftError;

/** `progress` receives a fraction from 0 to 1. Once the signal is aborted, the outcome means nothing. */
export async function uploadFile(
  ports: UploadPorts,
  file: QueuedFile,
  signal: AbortSignal,
  progress: (fraction: number) => void,
): Promise<UploadOutcome> {
  const { fileCache } = ports;
  const release = await fileCache.lock(file.id).catch(() => () => undefined);
  try {
    // Ask the device, not this tab's memory: another tab may be uploading the file, or may have finished.
    const known = await fileCache.get(file.id).catch(() => file);
    if (known === null || signal.aborted) return 'gone';
    if (release === null) return 'elsewhere';
    progress(0);
    const sent = await send(ports, file, signal, progress);
    if (signal.aborted) return 'gone';
    if (sent.ok) await fileCache.unqueue(file.id).catch(() => undefined);
    else if (!isTemporary(sent.error)) await fileCache.refuse(file.id, sent.error.code).catch(() => undefined);
    return sent.ok ? 'uploaded' : sent.error;
  } finally {
    release?.();
  }
}

async function send(
  { fileCache, storage, ensurePageCreated }: UploadPorts,
  file: QueuedFile,
  signal: AbortSignal,
  progress: (fraction: number) => void,
): Promise<Result<unknown, WeftError>> {
  const page = await ensurePageCreated(file.document);
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
    const stored = await storage.upload(
      file,
      part,
      (fraction) => progress((before + fraction * part.blob.size) / all),
      signal,
    );
    // Without a smaller version, others load the next larger one.
    if (!stored.ok && (part.version === 'original' || isTemporary(stored.error))) return stored;
    before += part.blob.size;
  }
  return ok(undefined);
}
