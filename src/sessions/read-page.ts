// Reads a whole page once, without a session: from the log, with the edits that only this device has. Fetches in as many calls
// as the answers' limits need.
import type { Store } from 'weft-sync/ports.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type LogSource, emptyLog, fetchLog } from 'weft-sync/recovery/replay-log.ts';
import { REMOTE_ORIGIN } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type Result, ok } from '../lib/result.ts';
import { attempt, editsOf, storedDoc } from './stored-copy.ts';

type ReadPorts = Omit<LogSource, 'documentId'> & { readonly store: Pick<Store, 'load'> };

export async function readPage(
  documentId: DocumentId,
  { store, ...source }: ReadPorts,
): Promise<Result<Y.Doc, WeftError>> {
  const page = emptyLog();
  const [read, stored] = await Promise.all([
    fetchLog(page, { ...source, documentId }, null),
    store.load(documentId).catch(() => null),
  ]);
  const { doc } = page;
  if (!read.ok) {
    doc.destroy();
    // A page that was created here may not be on the server yet.
    return read.error.code === 'WF001' && stored !== null ? ok(await storedDoc(stored)) : read;
  }
  for (const update of stored === null ? [] : editsOf(stored)) {
    if (update.length > 0) attempt(() => Y.applyUpdate(doc, update, REMOTE_ORIGIN));
  }
  return ok(doc);
}
