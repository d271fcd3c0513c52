// What one person's documents take on this device: the shape of the database, how an older one becomes it, and what
// the last page left in localStorage, put where it belongs before anybody reads.
import type { DBSchema, IDBPDatabase, IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import * as v from 'valibot';
import type { AttachmentVersion } from '../../../protocol/attachment.ts';
import type { AttachmentId, DocumentId, SessionId, UserId, WorkspaceId } from '../../../protocol/ids.ts';
import type { Row } from '../../../protocol/row.ts';
import type { OutboxEntry, StoredMeta } from '../../../sync/ports.ts';
import { type JournalEntry, ExitJournal } from './exit-journal.ts';
import { PrivateDatabase, completeAll } from './private-database.ts';
import { deviceStorage } from './shared-storage.ts';
import { type SignOutMarker, signOutMarker } from './sign-out-marker.ts';

/**
 * 1: documents (with their snapshot inside), rows, outboxes, entries.
 * 2: snapshots apart, so that an acknowledgement does not write megabytes again; documents know when they were opened
 *    and how much they take; pages that the server has not made yet.
 * 3: pictures and files that wait to be stored, and the bytes of those and of what was shown.
 * 4: rows call their `carried` parts `dependencies`.
 */
const VERSION = 4;

export interface WeftSchema extends DBSchema {
  documents: {
    key: DocumentId;
    /** `openedAt` in ms since 1970; `bytes` of its rows and snapshot, null when it has to be measured again. */
    value: { document: DocumentId; meta: StoredMeta; openedAt: number; bytes: number | null };
  };
  snapshots: { key: DocumentId; value: { document: DocumentId; seq: number; state: Uint8Array } };
  rows: { key: [DocumentId, number]; value: Row & { document: DocumentId } };
  outboxes: {
    key: [DocumentId, SessionId];
    value: { document: DocumentId; session: SessionId; clientId: number; openedAt: number; refused: string | null };
  };
  entries: {
    key: [DocumentId, SessionId, number];
    value: OutboxEntry & { document: DocumentId; session: SessionId };
  };
  newPages: {
    key: DocumentId;
    value: {
      id: DocumentId;
      workspace: WorkspaceId;
      parent: DocumentId | null;
      rank: string;
      title: string;
      madeAt: number;
      refused: string | null;
    };
  };
  uploads: {
    key: AttachmentId;
    value: {
      document: DocumentId;
      id: AttachmentId;
      madeAt: number;
      name: string;
      mime: string;
      bytes: number;
      from: { document: DocumentId; id: AttachmentId } | null;
      refused: string | null;
    };
    indexes: { byDocument: DocumentId };
  };
  files: {
    key: [AttachmentId, AttachmentVersion];
    value: {
      id: AttachmentId;
      version: AttachmentVersion;
      document: DocumentId;
      type: string;
      data: ArrayBuffer;
      bytes: number;
      at: number;
    };
    /** When it was kept, and how much it takes: room is made without reading any bytes. */
    indexes: { byTime: [number, number]; byDocument: DocumentId };
  };
}

export type WeftDatabase = {
  readonly database: PrivateDatabase<WeftSchema>;
  readonly exitJournal: ExitJournal;
};

export function weftDatabase(
  project: string,
  user: UserId,
  marker: SignOutMarker = signOutMarker(project),
): WeftDatabase {
  const name = `weft:${project}:${user}`;
  const exitJournal = new ExitJournal(name, deviceStorage, globalThis, () => database.isClosed);
  const database = new PrivateDatabase<WeftSchema>(name, {
    version: VERSION,
    marker,
    upgrade(db, from, _to, tx) {
      if (from < 1) create(db);
      if (from < 2) {
        db.createObjectStore('snapshots', { keyPath: 'document' });
        db.createObjectStore('newPages', { keyPath: 'id' });
        // Not awaited: the database counts as open only when the upgrade's transaction is over.
        if (from === 1) moveSnapshots(tx).catch(() => tx.abort());
      }
      if (from < 3) {
        db.createObjectStore('uploads', { keyPath: 'id' }).createIndex('byDocument', 'document');
        const files = db.createObjectStore('files', { keyPath: ['id', 'version'] });
        files.createIndex('byTime', ['at', 'bytes']);
        files.createIndex('byDocument', 'document');
      }
      if (from > 0 && from < 4) renameCarried(tx).catch(() => tx.abort());
    },
    async prepare(db) {
      const { held, forget } = exitJournal.read();
      if (held.length === 0) return forget();
      // No room to put them where they belong: they stay where they are, and what is kept can be read all the same.
      await storeJournal(db, held).then(forget, () => undefined);
    },
  });
  return { database, exitJournal };
}

function create(db: IDBPDatabase<WeftSchema>): void {
  db.createObjectStore('documents', { keyPath: 'document' });
  db.createObjectStore('rows', { keyPath: ['document', 'seq'] });
  db.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
  db.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
}

const withSnapshot = v.looseObject({ snapshot: v.object({ seq: v.number(), state: v.instance(Uint8Array) }) });

type Upgrade = IDBPTransaction<WeftSchema, StoreNames<WeftSchema>[], 'versionchange'>;

/** From 1 to 2, one document in memory at a time. When each was opened is not known: as if at the time of the upgrade. */
async function moveSnapshots(tx: Upgrade): Promise<void> {
  const openedAt = Date.now();
  const snapshots = tx.objectStore('snapshots');
  for (let at = await tx.objectStore('documents').openCursor(); at !== null; at = await at.continue()) {
    const { document, meta } = at.value;
    const old = v.safeParse(withSnapshot, at.value);
    const moved = old.success ? snapshots.put({ document, ...old.output.snapshot }) : null;
    await Promise.all([moved, at.update({ document, meta, openedAt, bytes: null })]);
  }
}

const withCarried = v.looseObject({ carried: v.custom<Row['dependencies']>(Array.isArray) });

/** From 3 to 4. */
async function renameCarried(tx: Upgrade): Promise<void> {
  for (let at = await tx.objectStore('rows').openCursor(); at !== null; at = await at.continue()) {
    const old = v.safeParse(withCarried, at.value);
    if (!old.success) continue;
    const row = { ...at.value, dependencies: old.output.carried };
    Reflect.deleteProperty(row, 'carried');
    await at.update(row);
  }
}

/** Putting them again is harmless where they were kept after all, or sent: their numbers are known. */
async function storeJournal(db: IDBPDatabase<WeftSchema>, held: readonly JournalEntry[]): Promise<void> {
  const tx = db.transaction(['outboxes', 'entries'], 'readwrite');
  const outboxes = tx.objectStore('outboxes');
  const writes = held.flatMap(({ document, session, clientId, openedAt, entry }) => [
    outboxes
      .getKey([document, session])
      .then((key) => key ?? outboxes.put({ document, session, clientId, openedAt, refused: null })),
    tx.objectStore('entries').put({ document, session, ...entry }),
  ]);
  await completeAll(tx, writes);
}

/** Everything of one document; up to `end` when given. Arrays sort after numbers, strings and binaries. */
export const documentRange = (document: DocumentId, end?: number) =>
  IDBKeyRange.bound([document], [document, end ?? []]);

export const PAGE_STORES = ['documents', 'snapshots', 'rows', 'outboxes', 'entries'] as const;
export const ALL_STORES = [...PAGE_STORES, 'newPages', 'uploads', 'files'] as const;

/** Deletes everything of one document. */
export function deleteDocument(
  tx: IDBPTransaction<WeftSchema, typeof ALL_STORES, 'readwrite'>,
  document: DocumentId,
): readonly Promise<void>[] {
  return [
    tx.objectStore('documents').delete(document),
    tx.objectStore('snapshots').delete(document),
    tx.objectStore('rows').delete(documentRange(document)),
    tx.objectStore('outboxes').delete(documentRange(document)),
    tx.objectStore('entries').delete(documentRange(document)),
    tx.objectStore('newPages').delete(document),
    deleteByDocument(tx.objectStore('uploads'), document),
    deleteByDocument(tx.objectStore('files'), document),
  ];
}

/** What lies under keys of its own, found by its document. */
export async function deleteByDocument<Name extends 'uploads' | 'files'>(
  store: IDBPObjectStore<WeftSchema, ArrayLike<StoreNames<WeftSchema>>, Name, 'readwrite'>,
  document: DocumentId,
): Promise<void> {
  const keys = await store.index('byDocument').getAllKeys(IDBKeyRange.bound(document, document));
  await Promise.all(keys.map((key) => store.delete(key)));
}

/** Beside the bytes of the edits: keys, ids and what IndexedDB adds. An estimate. */
const BYTES_PER_ROW = 200;

/** Of rows as they lie there, damaged ones too: what something weighs must not keep the rest from being read. */
export function estimateBytes(
  rows: readonly { readonly update: unknown; readonly dependencies: unknown }[],
  state?: unknown,
): number {
  let bytes = lengthOf(state);
  for (const { update, dependencies } of rows) {
    bytes += BYTES_PER_ROW + lengthOf(update);
    if (!Array.isArray(dependencies)) continue;
    for (const part of dependencies) bytes += BYTES_PER_ROW + lengthOf(v.is(weighed, part) ? part.update : null);
  }
  return bytes;
}

const weighed = v.object({ update: v.unknown() });
const lengthOf = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);
