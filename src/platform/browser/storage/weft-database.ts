// The database of one person on this device: the stores of the log (weft-sync) and those of the workspace, in one, so that one
// transaction covers both.
import type { IDBPDatabase, IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import type * as v from 'valibot';
import { ExitJournal } from 'weft-sync/browser/storage/exit-journal.ts';
import {
  LOG_STORES,
  type LogDatabase,
  type LogSchema,
  type LogUpgrade,
  deleteFromLog,
  takeInJournal,
  upgradeLog,
} from 'weft-sync/browser/storage/log-database.ts';
import { PrivateDatabase, completeAll } from 'weft-sync/browser/storage/private-database.ts';
import { deviceStorage } from 'weft-sync/browser/storage/shared-storage.ts';
import { type SignOutMarker, signOutMarker } from 'weft-sync/browser/storage/sign-out-marker.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { AttachmentVersion } from '../../../protocol/attachment.ts';
import type { AttachmentId, WorkspaceId } from '../../../protocol/ids.ts';
import type { lostPage } from './stored-pages.ts';

/**
 * 2: pages that the server does not have yet.
 * 3: pictures and files that wait for their upload, and the bytes of those and of shown ones.
 * 5: changes of the page tree that the server does not have yet.
 * 6: changes of comments that the server does not have yet.
 * The others changed the stores of the log.
 */
const VERSION = 6;

/** What all stored changes of pages or comments have in common. */
export type StoredChange = {
  readonly key: string;
  readonly page: DocumentId;
  readonly madeAt: number;
  readonly kind: string;
};

export interface WeftSchema extends LogSchema {
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
  pageChanges: { key: string; value: StoredChange };
  commentChanges: { key: string; value: StoredChange };
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
  /** The same database for the store of documents. */
  readonly log: LogDatabase;
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
      upgradeLog(db as unknown as IDBPDatabase<LogSchema>, from, tx as unknown as LogUpgrade);
      if (from < 2) db.createObjectStore('newPages', { keyPath: 'id' });
      if (from < 3) {
        db.createObjectStore('uploads', { keyPath: 'id' }).createIndex('byDocument', 'document');
        const files = db.createObjectStore('files', { keyPath: ['id', 'version'] });
        files.createIndex('byTime', ['at', 'bytes']);
        files.createIndex('byDocument', 'document');
      }
      if (from < 5) db.createObjectStore('pageChanges', { keyPath: 'key' });
      if (from < 6) db.createObjectStore('commentChanges', { keyPath: 'key' });
    },
    prepare: (db) => takeInJournal(db as unknown as IDBPDatabase<LogSchema>, exitJournal),
  });
  const log: LogDatabase = {
    database: database as unknown as PrivateDatabase<LogSchema>,
    exitJournal,
    async forget(document) {
      const tx = (await database.use()).transaction(DOCUMENT_STORES, 'readwrite');
      await completeAll(tx, deleteDocument(tx, document));
    },
  };
  return { database, log };
}

/** The stores of documents. Changes of the page tree and of comments are none of them: they wait until they are sent. */
export const DOCUMENT_STORES = [...LOG_STORES, 'newPages', 'uploads', 'files'] as const;

/** Deletes everything of one document, but for changes of the page tree and of comments. */
export function deleteDocument(
  tx: IDBPTransaction<WeftSchema, typeof DOCUMENT_STORES, 'readwrite'>,
  document: DocumentId,
): readonly Promise<void>[] {
  return [
    ...deleteFromLog(tx, document),
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
