// A page as this device stores it, for a file that the person downloads: its text, and the edits that are not on the server.
import * as Y from 'yjs';
import { bodyText } from '../../document/body/body-text.ts';
import { titleText } from '../../document/title.ts';
import { toBase64 } from '../../lib/bytes.ts';
import { inflate } from '../../lib/deflate.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { MAX_STATE_BYTES } from '../../protocol/limits.ts';
import type { UnsentCopy } from '../../state/ports.ts';
import { newDoc } from '../../sync/updates/new-doc.ts';
import type { StoredDocument } from '../../sync/ports.ts';

/** If `isOnServer` is false, the server has nothing of the page, and the copy holds all of it. */
export async function unsentCopyOf(
  document: DocumentId,
  stored: StoredDocument,
  isOnServer: boolean,
): Promise<UnsentCopy> {
  const doc = newDoc(0);
  const { snapshot, rows, outboxes } = stored;
  const entries = outboxes.flatMap((outbox) => outbox.entries);
  const edits = entries.flatMap((entry) => [...entry.buildsOn.map(({ update }) => update), entry.update]);
  if (snapshot !== null) {
    const state = await inflate(snapshot.state, MAX_STATE_BYTES).catch(() => null);
    if (state !== null) attempt(() => Y.applyUpdateV2(doc, state));
  }
  const updates = rows.flatMap((row) => [...row.dependencies.map(({ update }) => update), row.update]);
  for (const update of [...updates, ...edits]) {
    if (update.length > 0) attempt(() => Y.applyUpdate(doc, update));
  }
  const update = isOnServer ? Y.mergeUpdates(edits) : Y.encodeStateAsUpdate(doc);
  const copy = {
    document,
    title: titleText(doc),
    text: bodyText(doc),
    edits: entries.length,
    update: toBase64(update),
  };
  doc.destroy();
  return copy;
}

/** One unreadable edit must not keep the others out of the file. */
function attempt(apply: () => void): void {
  try {
    apply();
  } catch {
    // The merged `update` still holds its bytes.
  }
}
