// A page as this device stores it: its text for a search without the server, and a copy for a file that the person downloads.
import * as Y from 'yjs';
import { bodyText } from '../../document/body/body-text.ts';
import { titleText } from '../../document/title.ts';
import { toBase64 } from '../../lib/bytes.ts';
import { inflate } from '../../lib/deflate.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { MAX_STATE_BYTES } from '../../protocol/limits.ts';
import type { UnsentCopy } from '../../state/ports/device.ts';
import { newDoc } from '../../sync/updates/new-doc.ts';
import type { StoredDocument } from '../../sync/ports.ts';

/** The text of a page, with the edits that are only on this device. */
export async function storedText(stored: StoredDocument): Promise<string> {
  const doc = await storedDoc(stored);
  const text = bodyText(doc);
  doc.destroy();
  return text;
}

/** If `isOnServer` is false, the server has nothing of the page, and the copy holds all of it. */
export async function unsentCopyOf(
  document: DocumentId,
  stored: StoredDocument,
  isOnServer: boolean,
): Promise<UnsentCopy> {
  const doc = await storedDoc(stored);
  const update = isOnServer ? Y.mergeUpdates(editsOf(stored)) : Y.encodeStateAsUpdate(doc);
  const copy = {
    document,
    title: titleText(doc),
    text: bodyText(doc),
    edits: stored.outboxes.reduce((sum, { entries }) => sum + entries.length, 0),
    update: toBase64(update),
  };
  doc.destroy();
  return copy;
}

export async function storedDoc(stored: StoredDocument): Promise<Y.Doc> {
  const doc = newDoc(0);
  const { snapshot, rows } = stored;
  if (snapshot !== null) {
    const state = await inflate(snapshot.state, MAX_STATE_BYTES).catch(() => null);
    if (state !== null) attempt(() => Y.applyUpdateV2(doc, state));
  }
  const updates = rows.flatMap((row) => [...row.dependencies.map(({ update }) => update), row.update]);
  for (const update of [...updates, ...editsOf(stored)]) {
    if (update.length > 0) attempt(() => Y.applyUpdate(doc, update));
  }
  return doc;
}

/** The edits that are only on this device, after what they build on. */
export const editsOf = ({ outboxes }: StoredDocument): Uint8Array<ArrayBuffer>[] =>
  outboxes
    .flatMap((outbox) => outbox.entries)
    .flatMap((entry) => [...entry.buildsOn.map(({ update }) => update), entry.update]);

/** One unreadable edit must not keep the others out. */
export function attempt(apply: () => void): void {
  try {
    apply();
  } catch {
    // The copy's `update` still holds its bytes.
  }
}
