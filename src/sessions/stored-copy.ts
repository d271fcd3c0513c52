// Reads a page as this device stores it: its text for a search without the server, the copy in a file that the person
// downloads, what the device has of a page that the server has lost, and what moves to another account.
import { bodyText } from 'weft-document/body/body-text.ts';
import { blankSeed } from 'weft-document/seed.ts';
import { titleText } from 'weft-document/title.ts';
import type { Random, StoredDocument } from 'weft-sync/ports.ts';
import { type DocumentId, PUT_BACK_CLIENT_ID, SEED_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import { MAX_STATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { metaOfNewCopy, outboxToPutBack } from 'weft-sync/recovery/put-back.ts';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { toBase64 } from '../lib/bytes.ts';
import { inflate } from '../lib/deflate.ts';
import type { Moved } from '../platform/browser/storage/move-account.ts';
import type { HeldDocument, UnsentCopy } from '../ports/device.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';

/** The text of a page, with the edits that are only on this device. */
export async function storedText(stored: StoredDocument): Promise<string> {
  const doc = await storedDoc(stored);
  const text = bodyText(doc);
  doc.destroy();
  return text;
}

/** The role that the server gave, and the time of the newest row. Null: nothing here is, or was, on the server. */
export function heldDocument(stored: StoredDocument): HeldDocument | null {
  const { meta, snapshot, rows } = stored;
  const setAside = stored.outboxes.find(({ clientId }) => clientId === PUT_BACK_CLIENT_ID)?.entries[0];
  if (snapshot === null && rows.length === 0 && setAside === undefined) return null;
  return { role: meta.role, at: timeOf(stored) ?? setAside?.at ?? null };
}

/**
 * The server makes a lost page again with the blank seed as its first row, so the page must have begun with that seed. No newer
 * app may have written it.
 */
export async function canBeMadeAgain(stored: StoredDocument): Promise<boolean> {
  const [doc, blank] = [await storedDoc(stored), newDoc(0)];
  Y.applyUpdate(blank, blankSeed());
  const hasBlankSeed = seedClockOf(doc) === seedClockOf(blank);
  doc.destroy();
  blank.destroy();
  return hasBlankSeed && stored.meta.schemaVersion <= SCHEMA_VERSION;
}

/** When the newest row was written, by the clock of the database. */
const timeOf = ({ rows, snapshot }: StoredDocument): number | null => rows.at(-1)?.at ?? snapshot?.at ?? null;

/** All of a page as one outbox to be put back (HI3), without what the server refused. */
export async function setAsideStored(stored: StoredDocument, random: Pick<Random, 'session'>): Promise<Moved> {
  const doc = await storedDoc({ ...stored, outboxes: stored.outboxes.filter(({ refused }) => refused === null) });
  const update = new Uint8Array(Y.encodeStateAsUpdate(doc));
  doc.destroy();
  return { meta: metaOfNewCopy(stored.meta, random.session()), ...outboxToPutBack(random, update, timeOf(stored)) };
}

const seedClockOf = (doc: Y.Doc): number | undefined =>
  Y.decodeStateVector(Y.encodeStateVector(doc)).get(SEED_CLIENT_ID);

/** If `isOnServer` is false, the server has nothing of the page, and the copy holds all of it. */
export async function unsentCopyOf(
  document: DocumentId,
  stored: StoredDocument,
  isOnServer: boolean,
): Promise<UnsentCopy> {
  const doc = await storedDoc(stored);
  const edits = editsOf(stored).filter(({ length }) => length > 0);
  const unreadable = edits.filter((edit) => decodeUpdate(edit) === null);
  // A single unreadable edit would keep all others out of the merged ones.
  const update = isOnServer
    ? mergeUpdates(edits.filter((edit) => !unreadable.includes(edit)))
    : Y.encodeStateAsUpdate(doc);
  const copy = {
    document,
    title: titleText(doc),
    text: bodyText(doc),
    edits: stored.outboxes.reduce((sum, { entries }) => sum + entries.length, 0),
    update: toBase64(update),
    ...(unreadable.length === 0 ? {} : { unreadable: unreadable.map(toBase64) }),
  };
  doc.destroy();
  return copy;
}

/** All that the device holds of the page, without what cannot be read. */
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
    // `unsentCopyOf` keeps its bytes.
  }
}
