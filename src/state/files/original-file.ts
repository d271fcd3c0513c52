// A whole file as it was added: from this device if it is here, else from the server.
import { ok } from '../../lib/result.ts';
import type { Answer } from '../../ports/answer.ts';
import type { FileCache, FileSource } from '../../ports/files.ts';
import type { AttachmentId } from '../../protocol/ids.ts';

/** `fileCache`: null for a visitor with a link. */
export async function originalFile(
  fileCache: Pick<FileCache, 'read'> | null,
  source: FileSource,
  id: AttachmentId,
): Answer<Blob> {
  const cached = await fileCache?.read(id, 'original').catch(() => null);
  return cached == null ? source.download(id, 'original') : ok(cached);
}
