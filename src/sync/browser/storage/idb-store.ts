// The Store port in IndexedDB, one database per person. Once the database is open, every method creates its
// transaction in the caller's task, so transactions run in the order of the calls.
import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import type * as v from 'valibot';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type {
  FoldedOutbox,
  FormerCopy,
  OutboxEntry,
  OutboxKey,
  Store,
  StoredDocument,
  StoredMeta,
  StoredOutbox,
  StoredSnapshot,
  Unsent,
} from '../../ports.ts';
import type { WeftError } from '../../protocol/errors.ts';
import { type Numbered, areOfTwoLogs, beginsAgain, firstSeqOf } from '../../protocol/first-seq.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import type { Row } from '../../protocol/row.ts';
import { LOG_STORES, type LogDatabase, type LogSchema, documentRange, estimateBytes } from './log-database.ts';
import { ON_DISK, completeAll, withTimeout } from './private-database.ts';
import * as shapes from './stored-shapes.ts';

type LogWrite = readonly [meta: StoredMeta, added: readonly Row[], snapshot?: StoredSnapshot];

export const idbStore = (log: LogDatabase): Store => new IdbStore(log);

class IdbStore implements Store {
  readonly #log: LogDatabase;
  /** When the outboxes that this tab writes were opened: every entry rewrites the outbox record without reading it first. */
  readonly #openedAt = new Map<SessionId, number>();
  readonly #refusals = new Map<SessionId, string>();

  constructor(log: LogDatabase) {
    this.#log = log;
  }

  async load(document: DocumentId): Promise<StoredDocument | null> {
    const tx = (await this.#log.database.use()).transaction(LOG_STORES);
    const [page, snapshot, rows, outboxes, entries] = await withTimeout(
      Promise.all([
        tx.objectStore('documents').get(document),
        tx.objectStore('snapshots').get(document),
        tx.objectStore('rows').getAll(documentRange(document)),
        tx.objectStore('outboxes').getAll(documentRange(document)),
        tx.objectStore('entries').getAll(documentRange(document)),
        tx.done,
      ]),
    );
    if (page !== undefined) this.#recordOpening(document, estimateBytes(rows, snapshot?.state)).catch(() => undefined);
    return assemble({ page, snapshot, rows, outboxes, entries });
  }

  saveRows(document: DocumentId, ...log: LogWrite): Promise<boolean> {
    return this.#save(document, null, ...log);
  }

  async addEntry(document: DocumentId, { session, clientId }: OutboxKey, entry: OutboxEntry): Promise<void> {
    const db = await this.#log.database.use();
    // D5: entry, number and dependencies are one write.
    const tx = db.transaction(['outboxes', 'entries'], 'readwrite', ON_DISK);
    const openedAt = this.#openedAt.get(session) ?? entry.at;
    this.#openedAt.set(session, openedAt);
    const writes = [
      tx
        .objectStore('outboxes')
        .put({ document, session, clientId, openedAt, refused: this.#refusals.get(session) ?? null }),
      tx.objectStore('entries').put({ document, session, ...entry }),
    ];
    // Only writes, and committed in the same task: with fewer answers to wait for, the edit is stored sooner.
    tx.commit();
    const confirm = this.#log.exitJournal.record({ document, session, clientId, openedAt, entry });
    await completeAll(tx, writes).finally(confirm);
  }

  acknowledge(document: DocumentId, session: SessionId, lastN: number, ...log: LogWrite): Promise<boolean> {
    return this.#save(document, { session, lastN }, ...log);
  }

  async setAside(
    document: DocumentId,
    former: FormerCopy,
    meta: StoredMeta,
    outboxes: readonly FoldedOutbox[],
    { session, clientId }: OutboxKey,
    entry: OutboxEntry,
  ): Promise<boolean> {
    const tx = (await this.#log.database.use()).transaction(LOG_STORES, 'readwrite', ON_DISK);
    const at = Date.now();
    const stores = storesOf(tx);
    const { documents, rows, snapshots } = stores;
    const stored = parseOrNull(shapes.documentRecord, await documents.get(document));
    const isFormer = stored === null || stored.meta.copy === former.copy;
    if (isFormer && (await newestSeq(stores, document)) !== former.seq) return false;
    const begin = () => [
      snapshots.delete(document),
      rows.delete(documentRange(document)),
      documents.put({ document, meta, openedAt: at, bytes: null }),
    ];
    await completeAll(tx, [
      ...(isFormer ? begin() : []),
      ...outboxes.map((folded) => deleteEntries(tx, document, folded)),
      tx.objectStore('outboxes').put({ document, session, clientId, openedAt: at, refused: null }),
      tx.objectStore('entries').put({ document, session, ...entry }),
    ]);
    return true;
  }

  async refuse(document: DocumentId, session: SessionId, code: WeftError['code']): Promise<void> {
    this.#refusals.set(session, code);
    const tx = (await this.#log.database.use()).transaction('outboxes', 'readwrite');
    const mark = tx.store
      .get([document, session])
      .then((outbox) => (outbox === undefined ? undefined : tx.store.put({ ...outbox, refused: code })));
    await completeAll(tx, [mark]);
  }

  forget(document: DocumentId): Promise<void> {
    return this.#log.forget(document);
  }

  async forgetAll(): Promise<void> {
    const wiped = this.#log.database.wipe();
    this.#log.exitJournal.read().forget();
    await wiped;
  }

  async unsent(): Promise<readonly Unsent[]> {
    const db = await this.#log.database.use();
    const entries = (await db.getAll('entries')).flatMap((value) => parseOrNull(shapes.entry, value) ?? []);
    const byDocument = Map.groupBy(entries, (entry) => entry.document);
    return [...byDocument].map(([document, those]) => ({
      document,
      edits: those.length,
      // A spread of 150,000 entries would overflow the stack.
      oldestAt: those.reduce((oldest, { at }) => Math.min(oldest, at), Number.POSITIVE_INFINITY),
    }));
  }

  /**
   * Loading counts as opening: the most recently opened documents are cached longest. No one waits for this write, and
   * it does not recreate a deleted record.
   */
  async #recordOpening(document: DocumentId, bytes: number): Promise<void> {
    const tx = (await this.#log.database.use()).transaction('documents', 'readwrite', { durability: 'relaxed' });
    const write = tx.store
      .get(document)
      .then((before) => before && tx.store.put({ ...before, openedAt: Date.now(), bytes }));
    await completeAll(tx, [write]);
  }

  /** A power cut that takes this write leaves the entries in the outbox, to be sent again, and rows to be fetched again. */
  async #save(document: DocumentId, acknowledged: FoldedOutbox | null, ...log: LogWrite): Promise<boolean> {
    const tx = (await this.#log.database.use()).transaction(LOG_STORES, 'readwrite', { durability: 'relaxed' });
    const write = writeLog(storesOf(tx), document, ...log).then(async (isWritten) => {
      // HI6: where the rows are not stored, the entries must stay.
      if (isWritten && acknowledged !== null) await deleteEntries(tx, document, acknowledged);
      return isWritten;
    });
    await completeAll(tx, [write]);
    return write;
  }
}

/**
 * Another tab may have stored a newer snapshot meanwhile. The rows after ours are part of it then and no longer stored
 * here. A snapshot with the same seq replaces the old one, which was wrong (SN8).
 */
async function replace(
  snapshots: Writable<'snapshots'>,
  rows: Writable<'rows'>,
  next: LogSchema['snapshots']['value'],
): Promise<void> {
  const before = parseOrNull(shapes.snapshot, await snapshots.get(next.document));
  if (before !== null && before.seq > next.seq) return;
  await Promise.all([snapshots.put(next), rows.delete(documentRange(next.document, next.seq))]);
}

type Writable<Name extends StoreNames<LogSchema>> = IDBPObjectStore<
  LogSchema,
  ArrayLike<StoreNames<LogSchema>>,
  Name,
  'readwrite'
>;

type PageTransaction = IDBPTransaction<LogSchema, typeof LOG_STORES, 'readwrite'>;

type DocumentRecord = v.InferOutput<typeof shapes.documentRecord>;

type LogStores = {
  readonly documents: Writable<'documents'>;
  readonly snapshots: Writable<'snapshots'>;
  readonly rows: Writable<'rows'>;
};

const storesOf = (tx: PageTransaction): LogStores => ({
  documents: tx.objectStore('documents'),
  snapshots: tx.objectStore('snapshots'),
  rows: tx.objectStore('rows'),
});

/** False: nothing is written (HI6). */
async function writeLog(
  stores: LogStores,
  document: DocumentId,
  meta: StoredMeta,
  added: readonly Row[],
  snapshot?: StoredSnapshot,
): Promise<boolean> {
  const { documents, snapshots, rows } = stores;
  const before = parseOrNull(shapes.documentRecord, await documents.get(document));
  if (!isOfCopy(before, meta)) return false;
  // A newer history takes the place of all that is stored.
  const isSame = before?.meta.historyBeganAt === meta.historyBeganAt;
  if (isSame && (await isOfAnotherLog(stores, document, added, snapshot))) return false;
  // After something was replaced the size is unknown until it is measured again.
  const isReplacing = snapshot !== undefined || added.some((row) => firstSeqOf(row) < row.seq);
  await Promise.all([
    documents.put(recordOf(document, meta, before, isReplacing ? null : estimateBytes(added))),
    ...added.map((row) => addRow(stores, document, row)),
  ]);
  if (snapshot !== undefined) await replace(snapshots, rows, { document, ...snapshot });
  return true;
}

/**
 * A row replaces those that it stands for, and the snapshot below it if it stands for all: where setting aside failed (HI3), the
 * rows of the former history are still here, with words that were erased (HI9).
 */
async function addRow({ rows, snapshots }: LogStores, document: DocumentId, row: Row): Promise<void> {
  const former = IDBKeyRange.bound([document, firstSeqOf(row)], [document, row.seq]);
  if (firstSeqOf(row) < row.seq) await rows.delete(former);
  const snapshot = beginsAgain(row) ? parseOrNull(shapes.snapshot, await snapshots.get(document)) : null;
  if (snapshot !== null && snapshot.seq < row.seq) await snapshots.delete(document);
  await rows.put({ document, ...row });
}

/** The number of the newest row that `load` returns. */
async function newestSeq({ rows, snapshots }: LogStores, document: DocumentId): Promise<number> {
  const snapshot = parseOrNull(shapes.snapshot, await snapshots.get(document));
  const seq = snapshot?.seq ?? 0;
  return withoutGap(seq, await rows.getAll(documentRange(document))).at(-1)?.seq ?? seq;
}

/**
 * Whether a write is for the stored copy (HI6). The id alone is not enough: rows of a newer history replace a copy that could
 * not be set aside, under the same id.
 */
function isOfCopy(stored: DocumentRecord | null, { copy, historyBeganAt = 0 }: StoredMeta): boolean {
  return stored === null || (stored.meta.copy === copy && (stored.meta.historyBeganAt ?? 0) <= historyBeganAt);
}

/**
 * Whether a row or the snapshot to be written has another time than the stored one with the same number (HI6). Reads only what
 * is about to be replaced.
 */
async function isOfAnotherLog(
  { rows, snapshots }: LogStores,
  document: DocumentId,
  added: readonly Row[],
  snapshot?: StoredSnapshot,
): Promise<boolean> {
  const written: readonly Numbered[] = snapshot === undefined ? added : [...added, snapshot];
  if (written.length === 0) return false;
  // Not spread into `Math.min`: a whole log can be more arguments than a call takes.
  const first = written.reduce((least, { seq }) => Math.min(least, seq), Infinity);
  const last = written.reduce((greatest, { seq }) => Math.max(greatest, seq), 0);
  const range = IDBKeyRange.bound([document, first], [document, last]);
  const before = snapshot === undefined ? null : parseOrNull(shapes.snapshot, await snapshots.get(document));
  const stored: readonly Numbered[] = [...(await rows.getAll(range)), ...(before === null ? [] : [before])];
  const bySeq = new Map(stored.map((one) => [one.seq, one]));
  return written.some((one) => areOfTwoLogs(one, bySeq.get(one.seq) ?? one));
}

/** The document's record after a write. `added` is null if the size must be measured again. */
function recordOf(document: DocumentId, meta: StoredMeta, stored: DocumentRecord | null, added: number | null) {
  const bytes = stored === null ? added : stored.bytes === null || added === null ? null : stored.bytes + added;
  return { document, meta, openedAt: stored?.openedAt ?? Date.now(), bytes };
}

async function deleteEntries(
  tx: PageTransaction,
  document: DocumentId,
  { session, lastN }: FoldedOutbox,
): Promise<void> {
  const entries = tx.objectStore('entries');
  const [left] = await Promise.all([
    entries.count(IDBKeyRange.bound([document, session, lastN], [document, session, []], true)),
    entries.delete(IDBKeyRange.bound([document, session, 0], [document, session, lastN])),
  ]);
  if (left === 0) await tx.objectStore('outboxes').delete([document, session]);
}

function assemble(stored: {
  readonly page: unknown;
  readonly snapshot: unknown;
  readonly rows: readonly unknown[];
  readonly outboxes: readonly unknown[];
  readonly entries: readonly unknown[];
}): StoredDocument | null {
  const page = parseOrNull(shapes.documentRecord, stored.page);
  const entries = stored.entries.flatMap((value) => parseOrNull(shapes.entry, value) ?? []);
  const outboxes: StoredOutbox[] = stored.outboxes
    .flatMap((value) => parseOrNull(shapes.outbox, value) ?? [])
    .sort((a, b) => a.openedAt - b.openedAt)
    .map(({ session, clientId, refused }) => ({
      session,
      clientId,
      refused,
      entries: entries
        .filter((entry) => entry.session === session)
        .map(({ document: _document, session: _session, ...edit }) => edit),
    }));
  // Parsed one by one: a page can be read even if its record is damaged.
  const snapshot = parseOrNull(shapes.snapshot, stored.snapshot);
  const rows = withoutGap(snapshot?.seq ?? 0, stored.rows);
  if (page === null && outboxes.length === 0 && snapshot === null && rows.length === 0) return null;
  const { changedAt, copy, historyBeganAt, ...meta } = page?.meta ?? {
    schemaVersion: 0,
    title: '',
    role: 'viewer' as const,
  };
  return {
    meta: {
      ...meta,
      ...(changedAt === undefined ? {} : { changedAt }),
      ...(historyBeganAt === undefined ? {} : { historyBeganAt }),
      ...(copy === undefined ? {} : { copy }),
      seq: rows.at(-1)?.seq ?? snapshot?.seq ?? 0,
    },
    snapshot: snapshot && withoutDocument(snapshot),
    rows,
    outboxes,
  };
}

/** A row is useless without its predecessor. It is fetched again. */
function withoutGap(after: number, values: readonly unknown[]): readonly Row[] {
  const rows: Row[] = [];
  for (const value of values) {
    const row = parseOrNull(shapes.row, value);
    if (row === null) break;
    if (row.seq <= after) continue;
    if (firstSeqOf(row) > (rows.at(-1)?.seq ?? after) + 1) break;
    const { document: _document, ...rest } = row;
    rows.push(rest);
  }
  return rows;
}

const withoutDocument = ({ seq, at = null, state }: v.InferOutput<typeof shapes.snapshot>): StoredSnapshot => ({
  seq,
  ...(at === null ? {} : { at }),
  state,
});
