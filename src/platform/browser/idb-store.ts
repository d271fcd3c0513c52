// The Store port in IndexedDB: one database per project and user. Every method makes its transaction in the caller's
// task once the database is open, so transactions run in the order of the calls.
import { type DBSchema, type IDBPDatabase, deleteDB, openDB } from 'idb';
import * as v from 'valibot';
import type { DocumentId, SessionId, UserId } from '../../protocol/ids.ts';
import type { Row } from '../../protocol/row.ts';
import type { OutboxEntry, Store, StoredDocument, StoredMeta, StoredOutbox, StoredSnapshot } from '../../sync/ports.ts';
import { LastWords } from './last-words.ts';
import * as shapes from './stored-shapes.ts';

const VERSION = 1;
const ALL = ['documents', 'rows', 'outboxes', 'entries'] as const;

interface Schema extends DBSchema {
  documents: { key: DocumentId; value: { document: DocumentId; meta: StoredMeta; snapshot: StoredSnapshot | null } };
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

export function idbStore(project: string, user: UserId): Store {
  const name = `weft:${project}:${user}`;
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  /** Of the outboxes that this tab writes: every entry writes their line anew, without reading it first. */
  const firstAt = new Map<SessionId, number>();
  const refusals = new Map<SessionId, string>();
  const lastWords = new LastWords(name, localStorage, globalThis);

  const database = (): Promise<IDBPDatabase<Schema>> => {
    opening ??= open(name, () => (opening = null))
      .then(async (db) => {
        await keepLastWords(db);
        return db;
      })
      .catch((error: unknown) => {
        opening = null;
        throw error;
      });
    return opening;
  };
  /** Putting them again is harmless where they were kept after all, or sent: their numbers are known. */
  const keepLastWords = async (db: IDBPDatabase<Schema>): Promise<void> => {
    const { held, forget } = lastWords.left();
    if (held.length > 0) {
      const tx = db.transaction(['outboxes', 'entries'], 'readwrite');
      const outboxes = tx.objectStore('outboxes');
      const writes = held.flatMap(({ document, session, clientId, openedAt, entry }) => [
        outboxes
          .getKey([document, session])
          .then((key) => key ?? outboxes.put({ document, session, clientId, openedAt, refused: null })),
        tx.objectStore('entries').put({ document, session, ...entry }),
      ]);
      await all(tx, writes);
    }
    forget();
  };

  return {
    async load(document) {
      const db = await database();
      const tx = db.transaction(ALL);
      const [kept, rows, outboxes, entries] = await Promise.all([
        tx.objectStore('documents').get(document),
        tx.objectStore('rows').getAll(rangeOf(document)),
        tx.objectStore('outboxes').getAll(rangeOf(document)),
        tx.objectStore('entries').getAll(rangeOf(document)),
        tx.done,
      ]);
      return assemble(kept, rows, outboxes, entries);
    },

    async saveRows(document, meta, rows, snapshot) {
      const db = await database();
      const tx = db.transaction(['documents', 'rows'], 'readwrite');
      const documents = tx.objectStore('documents');
      const kept = snapshot ?? parsed(shapes.meta, await documents.get(document))?.snapshot ?? null;
      await all(tx, [
        documents.put({ document, meta, snapshot: kept }),
        snapshot === undefined ? null : tx.objectStore('rows').delete(rangeOf(document, snapshot.seq)),
        ...rows.map((row) => tx.objectStore('rows').put({ document, ...row })),
      ]);
    },

    async addEntry(document, { session, clientId }, entry) {
      const db = await database();
      // D5: entry, number and what it builds on are one write. Relaxed durability: the write survives the tab and the
      // browser; waiting for the disk at every keystroke would only guard against a power cut.
      const tx = db.transaction(['outboxes', 'entries'], 'readwrite', { durability: 'relaxed' });
      const openedAt = firstAt.get(session) ?? entry.at;
      firstAt.set(session, openedAt);
      const writes = [
        tx
          .objectStore('outboxes')
          .put({ document, session, clientId, openedAt, refused: refusals.get(session) ?? null }),
        tx.objectStore('entries').put({ document, session, ...entry }),
      ];
      // Writes only, and committed in the same task: the fewer answers it waits for, the sooner it is kept.
      tx.commit();
      const kept = lastWords.hold({ document, session, clientId, openedAt, entry });
      await all(tx, writes).finally(kept);
    },

    async acknowledge(document, session, lastN, meta, rows) {
      const db = await database();
      const tx = db.transaction(ALL, 'readwrite', { durability: 'relaxed' });
      const documents = tx.objectStore('documents');
      const entries = tx.objectStore('entries');
      const writes = [
        entries.delete(IDBKeyRange.bound([document, session, 0], [document, session, lastN])),
        ...rows.map((row) => tx.objectStore('rows').put({ document, ...row })),
        documents
          .get(document)
          .then((kept) => documents.put({ document, meta, snapshot: parsed(shapes.meta, kept)?.snapshot ?? null })),
        entries
          .count(rangeOfOutbox(document, session))
          .then((left) => (left === 0 ? tx.objectStore('outboxes').delete([document, session]) : undefined)),
      ];
      await all(tx, writes);
    },

    async refuse(document, session, code) {
      refusals.set(session, code);
      const db = await database();
      const tx = db.transaction('outboxes', 'readwrite');
      const mark = tx.store
        .get([document, session])
        .then((outbox) => (outbox === undefined ? undefined : tx.store.put({ ...outbox, refused: code })));
      await all(tx, [mark]);
    },

    async forget(document) {
      const db = await database();
      const tx = db.transaction(ALL, 'readwrite');
      await all(tx, [
        tx.objectStore('documents').delete(document),
        tx.objectStore('rows').delete(rangeOf(document)),
        tx.objectStore('outboxes').delete(rangeOf(document)),
        tx.objectStore('entries').delete(rangeOf(document)),
      ]);
    },

    async forgetAll() {
      (await opening?.catch(() => null))?.close();
      opening = null;
      lastWords.left().forget();
      await deleteDB(name);
    },

    async unsent() {
      const db = await database();
      const entries = (await db.getAll('entries')).flatMap((value) => parsed(shapes.entry, value) ?? []);
      const byDocument = Map.groupBy(entries, (entry) => entry.document);
      return [...byDocument].map(([document, those]) => ({
        document,
        edits: those.length,
        oldestAt: Math.min(...those.map((entry) => entry.at)),
      }));
    },
  };
}

/** A request that fails rejects on its own too: all are awaited together, so that none goes unheard. */
async function all(tx: { readonly done: Promise<void> }, requests: readonly unknown[]): Promise<void> {
  await Promise.all([...requests, tx.done]);
}

/** Rejects instead of waiting: a store that never answers would keep the page from opening. */
function open(name: string, lost: () => void): Promise<IDBPDatabase<Schema>> {
  return new Promise((resolve, reject) => {
    openDB<Schema>(name, VERSION, {
      upgrade(db) {
        db.createObjectStore('documents', { keyPath: 'document' });
        db.createObjectStore('rows', { keyPath: ['document', 'seq'] });
        db.createObjectStore('outboxes', { keyPath: ['document', 'session'] });
        db.createObjectStore('entries', { keyPath: ['document', 'session', 'n'] });
      },
      blocked: () => reject(new Error('the store is held by an older version in another tab')),
      // A newer version, or a sign-out, in another tab waits for us.
      blocking: (_current, _blocked, event) => {
        lost();
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: lost,
    }).then(resolve, reject);
  });
}

/** Everything of one document; up to `end` when given. Arrays sort after numbers, strings and binaries. */
const rangeOf = (document: DocumentId, end?: number) => IDBKeyRange.bound([document], [document, end ?? []]);
const rangeOfOutbox = (document: DocumentId, session: SessionId) =>
  IDBKeyRange.bound([document, session], [document, session, []]);

function assemble(
  kept: unknown,
  rawRows: readonly unknown[],
  rawOutboxes: readonly unknown[],
  rawEntries: readonly unknown[],
): StoredDocument | null {
  const document = parsed(shapes.meta, kept);
  const entries = rawEntries.flatMap((value) => parsed(shapes.entry, value) ?? []);
  const outboxes: StoredOutbox[] = rawOutboxes
    .flatMap((value) => parsed(shapes.outbox, value) ?? [])
    .sort((a, b) => a.openedAt - b.openedAt)
    .map(({ session, clientId, refused }) => ({
      session,
      clientId,
      refused,
      entries: entries
        .filter((entry) => entry.session === session)
        .map(({ n, update, at, buildsOn }) => ({ n, update, at, buildsOn })),
    }));
  if (document === null && outboxes.length === 0) return null;
  const snapshot = document?.snapshot ?? null;
  const rows = withoutGap(snapshot?.seq ?? 0, rawRows);
  const meta = document?.meta ?? { schemaVersion: 0, title: '', role: 'viewer' as const };
  return { meta: { ...meta, seq: rows.at(-1)?.seq ?? snapshot?.seq ?? 0 }, snapshot, rows, outboxes };
}

/** A row whose predecessor was not stored is of no use: it is fetched again. */
function withoutGap(after: number, values: readonly unknown[]): readonly Row[] {
  const rows: Row[] = [];
  for (const value of values) {
    const row = parsed(shapes.row, value);
    if (row === null) break;
    if (row.seq <= after) continue;
    if (row.seq !== after + rows.length + 1) break;
    const { seq, session, clientId, nFrom, nTo, update, carried } = row;
    rows.push({ seq, session, clientId, nFrom, nTo, update, carried });
  }
  return rows;
}

function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}
