// The Store port in memory: what one user has stored on one device. All tabs of the device share one object.
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
} from '../ports.ts';
import { type Numbered, areOfTwoLogs, beginsAgain, firstSeqOf } from '../protocol/first-seq.ts';
import type { DocumentId, SessionId } from '../protocol/ids.ts';
import type { Row } from '../protocol/row.ts';

type StoredState = {
  meta: StoredMeta | null;
  snapshot: StoredSnapshot | null;
  readonly rows: Map<number, Row>;
  /** In order of creation. */
  readonly outboxes: Map<SessionId, StoredOutbox>;
};

export class MemoryStore implements Store {
  readonly #documents = new Map<DocumentId, StoredState>();
  #isBroken = false;
  #isWiped = false;

  /** Makes every call fail, as on a full disk or in a private window, or succeed again. */
  setBroken(isBroken: boolean): void {
    this.#isBroken = isBroken;
  }

  load(document: DocumentId): Promise<StoredDocument | null> {
    return this.#do(() => {
      const stored = this.#documents.get(document);
      if (stored === undefined || (stored.meta === null && stored.outboxes.size === 0)) return null;
      const { snapshot } = stored;
      const rows = withoutGap(stored);
      const meta = stored.meta ?? { seq: 0, schemaVersion: 0, title: '', role: 'viewer' };
      const outboxes = [...stored.outboxes.values()];
      return { meta: { ...meta, seq: newestSeq(stored, rows) }, snapshot, rows, outboxes };
    });
  }

  saveRows(document: DocumentId, meta: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot): Promise<boolean> {
    return this.#do(() => {
      return writeLog(this.#of(document), meta, rows, snapshot);
    });
  }

  addEntry(document: DocumentId, { session, clientId }: OutboxKey, entry: OutboxEntry): Promise<void> {
    return this.#do(() => {
      const { outboxes } = this.#of(document);
      const outbox = outboxes.get(session) ?? { session, clientId, entries: [], refused: null };
      const others = outbox.entries.filter((other) => other.n !== entry.n);
      outboxes.set(session, { ...outbox, entries: [...others, entry].sort((a, b) => a.n - b.n) });
    });
  }

  acknowledge(
    document: DocumentId,
    session: SessionId,
    lastN: number,
    meta: StoredMeta,
    rows: readonly Row[],
    snapshot?: StoredSnapshot,
  ): Promise<boolean> {
    return this.#do(() => {
      const stored = this.#of(document);
      // HI6: its rows are not stored, so the entries must stay.
      if (!writeLog(stored, meta, rows, snapshot)) return false;
      deleteEntries(stored, { session, lastN });
      return true;
    });
  }

  setAside(
    document: DocumentId,
    former: FormerCopy,
    meta: StoredMeta,
    outboxes: readonly FoldedOutbox[],
    { session, clientId }: OutboxKey,
    entry: OutboxEntry,
  ): Promise<boolean> {
    return this.#do(() => {
      const stored = this.#of(document);
      if (stored.meta?.copy === former.copy) {
        if (newestSeq(stored) !== former.seq) return false;
        stored.meta = meta;
        stored.snapshot = null;
        stored.rows.clear();
      }
      for (const folded of outboxes) deleteEntries(stored, folded);
      stored.outboxes.set(session, { session, clientId, entries: [entry], refused: null });
      return true;
    });
  }

  refuse(document: DocumentId, session: SessionId, code: StoredOutbox['refused']): Promise<void> {
    return this.#do(() => {
      const { outboxes } = this.#of(document);
      const outbox = outboxes.get(session);
      if (outbox !== undefined) outboxes.set(session, { ...outbox, refused: code });
    });
  }

  forget(document: DocumentId): Promise<void> {
    return this.#do(() => void this.#documents.delete(document));
  }

  forgetAll(): Promise<void> {
    return this.#do(() => {
      this.#documents.clear();
      this.#isWiped = true;
    });
  }

  unsent(): Promise<readonly Unsent[]> {
    return this.#do(() =>
      [...this.#documents].flatMap(([document, { outboxes }]) => {
        const entries = [...outboxes.values()].flatMap((outbox) => outbox.entries);
        if (entries.length === 0) return [];
        return { document, edits: entries.length, oldestAt: Math.min(...entries.map((entry) => entry.at)) };
      }),
    );
  }

  /** Takes effect immediately, like an IndexedDB transaction that is created in the caller's task, and resolves later. */
  async #do<T>(run: () => T): Promise<T> {
    if (this.#isBroken) throw new Error('the store is broken');
    return run();
  }

  #of(document: DocumentId): StoredState {
    if (this.#isWiped) throw new Error('this person signed out on this device');
    const stored = this.#documents.get(document) ?? {
      meta: null,
      snapshot: null,
      rows: new Map(),
      outboxes: new Map(),
    };
    this.#documents.set(document, stored);
    return stored;
  }
}

/** HI6: the store has no other copy and no newer history than `meta` names. */
const isOfCopy = ({ meta }: StoredState, { copy, historyBeganAt = 0 }: StoredMeta): boolean =>
  meta === null || (meta.copy === copy && (meta.historyBeganAt ?? 0) <= historyBeganAt);

function deleteEntries({ outboxes }: StoredState, { session, lastN }: FoldedOutbox): void {
  const outbox = outboxes.get(session);
  const entries = outbox?.entries.filter((entry) => entry.n > lastN) ?? [];
  if (outbox !== undefined && entries.length > 0) outboxes.set(session, { ...outbox, entries });
  else outboxes.delete(session);
}

/**
 * HI6: one of these has the seq of a stored one and another time. A newer history takes the place of all that is
 * stored.
 */
function isOfAnotherLog(stored: StoredState, added: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot) {
  if (stored.meta?.historyBeganAt !== added.historyBeganAt) return false;
  const others = [...stored.rows.values(), ...(stored.snapshot === null ? [] : [stored.snapshot])];
  const isOther = (one: Numbered) => others.some((other) => areOfTwoLogs(one, other));
  return rows.some(isOther) || (snapshot !== undefined && isOther(snapshot));
}

/** False: nothing was written (HI6). */
function writeLog(stored: StoredState, meta: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot): boolean {
  if (!isOfCopy(stored, meta) || isOfAnotherLog(stored, meta, rows, snapshot)) return false;
  stored.meta = meta;
  if (snapshot !== undefined && snapshot.seq >= (stored.snapshot?.seq ?? 0)) {
    stored.snapshot = snapshot;
    for (const seq of stored.rows.keys()) if (seq <= snapshot.seq) stored.rows.delete(seq);
  }
  addRows(stored, rows);
  return true;
}

/** ST2: a row replaces those that it stands for, and the snapshot below it if it stands for all. */
function addRows(stored: StoredState, rows: readonly Row[]): void {
  for (const row of rows) {
    for (let seq = firstSeqOf(row); seq < row.seq; seq++) stored.rows.delete(seq);
    if (beginsAgain(row) && (stored.snapshot?.seq ?? row.seq) < row.seq) stored.snapshot = null;
    stored.rows.set(row.seq, row);
  }
}

const newestSeq = (stored: StoredState, rows = withoutGap(stored)): number =>
  rows.at(-1)?.seq ?? stored.snapshot?.seq ?? 0;

/** The rows up to the first gap. A row cannot be applied without its predecessor. */
function withoutGap({ snapshot, rows }: StoredState): readonly Row[] {
  const next: Row[] = [];
  let seq = snapshot?.seq ?? 0;
  for (const row of [...rows.values()].sort((a, b) => a.seq - b.seq)) {
    if (row.seq <= seq) continue;
    if (firstSeqOf(row) > seq + 1) break;
    next.push(row);
    seq = row.seq;
  }
  return next;
}
