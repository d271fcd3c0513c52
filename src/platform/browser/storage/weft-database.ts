// The database of one person's documents on this device: its schema, its upgrades, and the exit journal of the previous
// page, which it moves into place before the first read.
import type { DBSchema, IDBPDatabase, IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import * as v from 'valibot';
import type { AttachmentVersion } from '../../../protocol/attachment.ts';
import type { AttachmentId, DocumentId, SessionId, UserId, WorkspaceId } from '../../../protocol/ids.ts';
import type { Row } from '../../../protocol/row.ts';
import type { OutboxEntry, StoredMeta } from '../../../sync/ports.ts';
import { type JournalEntry, ExitJournal } from './exit-journal.ts';
import { ON_DISK, PrivateDatabase, completeAll } from './private-database.ts';
import { deviceStorage } from './shared-storage.ts';
import type { lostPage } from './stored-shapes.ts';
import { type SignOutMarker, signOutMarker } from './sign-out-marker.ts';

/**
 * 1: documents (with their snapshot inside), rows, outboxes, entries.
 * 2: snapshots separate, so that an acknowledgement does not rewrite megabytes; documents know when they were opened
 * and their size; pages that the server does not have yet.
 * 3: pictures and files that wait for their upload, and the bytes of those and of shown ones.
 * 4: rows call their `carried` parts `dependencies`.
 * 5: changes of the page tree that the server does not have yet.
 */
const VERSION = 5;

export interface WeftSchema extends DBSchema {
  documents: {
    key: DocumentId;
    /** `openedAt` is in ms since 1970. `bytes` counts rows and snapshot; null if it must be measured again. */
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
      lost?: v.InferOutput<typeof lostPage> | undefined;
    };
  };
  pageChanges: { key: string; value: { key: string; page: DocumentId; madeAt: number; kind: string } };
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
    /** Time and size of each file. Freeing space needs no bytes to be read. */
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
      if (from < 1) createFirstStores(db);
      if (from < 2) {
        db.createObjectStore('snapshots', { keyPath: 'document' });
        db.createObjectStore('newPages', { keyPath: 'id' });
        // Not awaited: the database only counts as open once the upgrade transaction is over.
        if (from === 1) moveSnapshots(tx).catch(() => tx.abort());
      }
      if (from < 3) {
        db.createObjectStore('uploads', { keyPath: 'id' }).createIndex('byDocument', 'document');
        const files = db.createObjectStore('files', { keyPath: ['id', 'version'] });
        files.createIndex('byTime', ['at', 'bytes']);
        files.createIndex('byDocument', 'document');
      }
      if (from < 5) db.createObjectStore('pageChanges', { keyPath: 'key' });
      if (from > 0 && from < 4) renameCarried(tx).catch(() => tx.abort());
    },
    async prepare(db) {
      const { entries, forget } = exitJournal.read();
      if (entries.length === 0) return forget();
      // If there is no room for the journal, it stays in localStorage, and the stored documents can still be read.
      await storeJournal(db, entries).then(forget, () => undefined);
    },
  });
  return { database, exitJournal };
}

function createFirstStores(db: IDBPDatabase<WeftSchema>): void {
  db.createObjectStore('documents', { keyPath: 'document' });
  db.createObjectStore('rows', { keyPath: ['document', 'seq'] });
  db.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
  db.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
}

const withSnapshot = v.looseObject({ snapshot: v.object({ seq: v.number(), state: v.instance(Uint8Array) }) });

type Upgrade = IDBPTransaction<WeftSchema, StoreNames<WeftSchema>[], 'versionchange'>;

/**
 * From version 1 to 2, with one document in memory at a time. The time of opening is unknown, so it is set to the time
 * of the upgrade.
 */
async function moveSnapshots(tx: Upgrade): Promise<void> {
  const openedAt = Date.now();
  const snapshots = tx.objectStore('snapshots');
  for (let cursor = await tx.objectStore('documents').openCursor(); cursor !== null; cursor = await cursor.continue()) {
    const { document, meta } = cursor.value;
    const old = v.safeParse(withSnapshot, cursor.value);
    const moved = old.success ? snapshots.put({ document, ...old.output.snapshot }) : null;
    await Promise.all([moved, cursor.update({ document, meta, openedAt, bytes: null })]);
  }
}

const withCarried = v.looseObject({ carried: v.custom<Row['dependencies']>(Array.isArray) });

/** From version 3 to 4. */
async function renameCarried(tx: Upgrade): Promise<void> {
  for (let cursor = await tx.objectStore('rows').openCursor(); cursor !== null; cursor = await cursor.continue()) {
    const old = v.safeParse(withCarried, cursor.value);
    if (!old.success) continue;
    const row = { ...cursor.value, dependencies: old.output.carried };
    Reflect.deleteProperty(row, 'carried');
    await cursor.update(row);
  }
}

/** If an edit was stored or sent after all, storing it again is harmless: its number identifies it. */
async function storeJournal(db: IDBPDatabase<WeftSchema>, entries: readonly JournalEntry[]): Promise<void> {
  const tx = db.transaction(['outboxes', 'entries'], 'readwrite', ON_DISK);
  const outboxes = tx.objectStore('outboxes');
  const writes = entries.flatMap(({ document, session, clientId, openedAt, entry }) => [
    outboxes
      .getKey([document, session])
      .then((key) => key ?? outboxes.put({ document, session, clientId, openedAt, refused: null })),
    tx.objectStore('entries').put({ document, session, ...entry }),
  ]);
  await completeAll(tx, writes);
}

/** All keys of one document, up to `end` if given. Arrays sort after numbers, strings and binaries. */
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

/** For stores with keys of their own: finds the records by their document. */
export async function deleteByDocument<Name extends 'uploads' | 'files'>(
  store: IDBPObjectStore<WeftSchema, ArrayLike<StoreNames<WeftSchema>>, Name, 'readwrite'>,
  document: DocumentId,
): Promise<void> {
  const keys = await store.index('byDocument').getAllKeys(IDBKeyRange.bound(document, document));
  await Promise.all(keys.map((key) => store.delete(key)));
}

/** Estimated overhead per row beside its bytes: keys, ids and what IndexedDB adds. */
const BYTES_PER_ROW = 200;

/** Measures rows as stored. Damaged ones count too and must not keep the others from being read. */
export function estimateBytes(
  rows: readonly { readonly update: unknown; readonly dependencies: unknown }[],
  state?: unknown,
): number {
  let bytes = lengthOf(state);
  for (const { update, dependencies } of rows) {
    bytes += BYTES_PER_ROW + lengthOf(update);
    if (!Array.isArray(dependencies)) continue;
    for (const part of dependencies) bytes += BYTES_PER_ROW + lengthOf(v.is(partShape, part) ? part.update : null);
  }
  return bytes;
}

const partShape = v.object({ update: v.unknown() });
const lengthOf = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);
