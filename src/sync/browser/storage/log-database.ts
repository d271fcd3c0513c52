// The stores of one person's documents in IndexedDB and their upgrades. The exit journal of the previous page moves into them
// before the first read.
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import * as v from 'valibot';
import type { OutboxEntry, StoredMeta } from '../../ports.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import type { Row } from '../../protocol/row.ts';
import { type JournalEntry, ExitJournal } from './exit-journal.ts';
import { ON_DISK, PrivateDatabase, completeAll } from './private-database.ts';
import { deviceStorage } from './shared-storage.ts';
import type { SignOutMarker } from './sign-out-marker.ts';

/**
 * The version of the database in which these stores changed last.
 * 1: documents (with their snapshot inside), rows, outboxes, entries.
 * 2: snapshots separate, so that an acknowledgement does not rewrite megabytes; documents know when they were opened
 * and their size.
 * 4: rows call their `carried` parts `dependencies` (3 was of the app's own stores).
 * An application that has stores of its own in the same database counts their versions with the same number.
 */
const LOG_VERSION = 4;

export interface LogSchema extends DBSchema {
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
}

export type LogDatabase = {
  readonly database: PrivateDatabase<LogSchema>;
  readonly exitJournal: ExitJournal;
  /** Deletes everything of one document. */
  readonly forget: (document: DocumentId) => Promise<void>;
};

/** A database with these stores alone. An application that has more makes it of the parts below. */
export function logDatabase(name: string, marker: SignOutMarker): LogDatabase {
  const exitJournal = new ExitJournal(name, deviceStorage, globalThis, () => database.isClosed);
  const database = new PrivateDatabase<LogSchema>(name, {
    version: LOG_VERSION,
    marker,
    upgrade: (db, from, _to, tx) => upgradeLog(db, from, tx),
    prepare: (db) => takeInJournal(db, exitJournal),
  });
  return {
    database,
    exitJournal,
    async forget(document) {
      const tx = (await database.use()).transaction(LOG_STORES, 'readwrite');
      await completeAll(tx, deleteFromLog(tx, document));
    },
  };
}

/** Brings these stores from the version `from` (0: there are none) to the newest. */
export function upgradeLog(db: IDBPDatabase<LogSchema>, from: number, tx: LogUpgrade): void {
  if (from < 1) {
    db.createObjectStore('documents', { keyPath: 'document' });
    db.createObjectStore('rows', { keyPath: ['document', 'seq'] });
    db.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
    db.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
  }
  if (from < 2) {
    db.createObjectStore('snapshots', { keyPath: 'document' });
    // Not awaited: the database only counts as open once the upgrade transaction is over.
    if (from === 1) moveSnapshots(tx).catch(() => tx.abort());
  }
  if (from > 0 && from < 4) renameCarried(tx).catch(() => tx.abort());
}

/** Moves the edits that the previous page left in the journal into the outboxes. */
export async function takeInJournal(db: IDBPDatabase<LogSchema>, exitJournal: ExitJournal): Promise<void> {
  const { entries, forget } = exitJournal.read();
  if (entries.length === 0) return forget();
  // If there is no room for the journal, it stays in localStorage, and the stored documents can still be read.
  await storeJournal(db, entries).then(forget, () => undefined);
}

const withSnapshot = v.looseObject({ snapshot: v.object({ seq: v.number(), state: v.instance(Uint8Array) }) });

export type LogUpgrade = IDBPTransaction<LogSchema, StoreNames<LogSchema>[], 'versionchange'>;

/**
 * From version 1 to 2, with one document in memory at a time. The time of opening is unknown, so it is set to the time
 * of the upgrade.
 */
async function moveSnapshots(tx: LogUpgrade): Promise<void> {
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
async function renameCarried(tx: LogUpgrade): Promise<void> {
  for (let cursor = await tx.objectStore('rows').openCursor(); cursor !== null; cursor = await cursor.continue()) {
    const old = v.safeParse(withCarried, cursor.value);
    if (!old.success) continue;
    const row = { ...cursor.value, dependencies: old.output.carried };
    Reflect.deleteProperty(row, 'carried');
    await cursor.update(row);
  }
}

/** If an edit was stored or sent after all, storing it again is harmless: its number identifies it. */
async function storeJournal(db: IDBPDatabase<LogSchema>, entries: readonly JournalEntry[]): Promise<void> {
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

export const LOG_STORES = ['documents', 'snapshots', 'rows', 'outboxes', 'entries'] as const;

/** A transaction on at least these stores. */
type DeletesFromLog = {
  objectStore(name: (typeof LOG_STORES)[number]): { delete(key: DocumentId | IDBKeyRange): Promise<void> };
};

/** Deletes what these stores have of one document. */
export function deleteFromLog(tx: DeletesFromLog, document: DocumentId): readonly Promise<void>[] {
  return [
    tx.objectStore('documents').delete(document),
    tx.objectStore('snapshots').delete(document),
    tx.objectStore('rows').delete(documentRange(document)),
    tx.objectStore('outboxes').delete(documentRange(document)),
    tx.objectStore('entries').delete(documentRange(document)),
  ];
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
