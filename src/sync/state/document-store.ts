// The store of one document, as the session uses it. Failures never stop the session; they are remembered (WF012).
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
} from '../ports.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentId, SessionId } from '../protocol/ids.ts';
import type { Row } from '../protocol/row.ts';
import type { EmitDocumentEvent } from './document-event.ts';
import { bytesOf } from './replica.ts';

/** Rows of the log in order, and the snapshot that stands for the rows before them. */
type LogPart = { readonly rows: readonly Row[]; readonly snapshot: StoredSnapshot | null };

type Unstored = { readonly key: OutboxKey; readonly entry: OutboxEntry };

/** Rows are in the log, so rows that could not be stored are worth this much memory and no more. */
const MAX_UNSAVED_BYTES = 8 * 1024 * 1024;
const MAX_SKIPPED = 64;
/** More is not written again before each key. */
const MAX_BYTES_BEFORE_ENTRY = 256 * 1024;

export class DocumentStore {
  readonly #store: Store;
  readonly #document: DocumentId;
  readonly #schemaVersion: number;
  readonly #emit: EmitDocumentEvent;
  /**
   * Entries whose write failed, in order. They are written again before the next one, so that no number is left out.
   */
  #unstored: readonly Unstored[] = [];
  #beingStored = 0;
  readonly #writes = new Set<Promise<void>>();
  /** Their writes have begun, and may fail. */
  readonly #beingSaved = new Set<LogPart>();
  readonly #ackedN = new Map<SessionId, number>();
  /**
   * Rows, acknowledgements and a snapshot whose write failed. Without them, rows stored later are useless and sent
   * edits look unsent.
   */
  readonly #unsavedRows = new Map<number, Row>();
  readonly #unsavedAcks = new Map<SessionId, number>();
  #unsavedSnapshot: StoredSnapshot | null = null;
  #unsavedBytes = 0;
  /**
   * Too many rows could not be stored, or a snapshot: the next opening fetches them, and appends once more what they acknowledge
   * (I2, LG3).
   */
  #isMissingRows = false;
  #isRead = false;
  #meta: StoredMeta | null = null;
  #isFlushing = false;
  #isSetAside = false;
  /** This many occasions pass before the next try; twice as many after each failure. */
  #skips = 0;
  #skipped = 0;

  /** `schemaVersion`: the newest that this app understands. */
  constructor(store: Store, document: DocumentId, schemaVersion: number, emit: EmitDocumentEvent) {
    this.#store = store;
    this.#document = document;
    this.#schemaVersion = schemaVersion;
    this.#emit = emit;
  }

  /** Unsent edits that only this tab holds. */
  get hasOnlyInMemory(): boolean {
    return this.#unstored.length > 0;
  }

  /** Entries whose writes are under way. */
  get beingStored(): number {
    return this.#beingStored;
  }

  /** Leaves out what a newer app left here unsent: this app must not show it, let alone send it (SY2). */
  async load(): Promise<StoredDocument | null> {
    try {
      const stored = await this.#store.load(this.#document);
      this.#isRead = true;
      return stored && { ...stored, outboxes: stored.outboxes.filter((outbox) => !this.#isOfNewerApp(outbox)) };
    } catch {
      // Mostly nothing can be written either, which the first edit reports. If it can, `#isRead` protects what is stored.
      return null;
    }
  }

  /** D5: starts the write in the caller's task. What the entry builds on comes first: alone it could not be put back (HI4). */
  addEntry(key: OutboxKey, entry: OutboxEntry): void {
    if (this.#unsavedBytes + (this.#unsavedSnapshot?.state.length ?? 0) <= MAX_BYTES_BEFORE_ENTRY)
      this.#flushIfNeeded();
    for (const { key: earlierKey, entry: earlier } of this.#unstored) this.#add(earlierKey, earlier);
    this.#add(key, entry);
  }

  /** Writes again what the store did not accept: there may be room now. */
  retryWrites(): void {
    this.#flushIfDue();
    if (this.#beingStored > 0) return;
    for (const { key, entry } of this.#unstored) this.#add(key, entry);
  }

  /**
   * Writes rows again without waiting for their turn: a tab asked for edits, and may have begun a new copy when it
   * opened (HI6).
   */
  retryRows(): void {
    this.#flushIfNeeded();
  }

  saveRows(meta: StoredMeta, rows: readonly Row[], given?: StoredSnapshot): void {
    this.#meta = meta;
    // HI6: it could take the place of rows that only this device has.
    const isUnread = given !== undefined && !this.#isRead;
    if (isUnread) this.#isMissingRows = true;
    const snapshot = isUnread ? undefined : given;
    const part = { rows, snapshot: snapshot ?? null };
    this.#save(part, this.#store.saveRows(this.#document, meta, rows, snapshot), () => undefined);
  }

  /**
   * I2: entries leave in the transaction that stores the answer's rows, and every row before that is not known to be stored: theirs
   * may be one of those.
   */
  acknowledge(session: SessionId, lastN: number, meta: StoredMeta, rows: readonly Row[]): void {
    this.#meta = meta;
    this.#ackedN.set(session, lastN);
    this.#unstored = this.#unstored.filter(({ key, entry }) => key.session !== session || entry.n > lastN);
    const part = joined([...this.#beingSaved, this.#takeUnsaved(), { rows, snapshot: null }]);
    if (this.#isMissingRows) this.saveRows(meta, part.rows, part.snapshot ?? undefined);
    else
      this.#save(part, this.#writeAcknowledgement(session, lastN, meta, part), () => this.#rememberAck(session, lastN));
  }

  /**
   * HI3. Null: another tab has stored rows since `load`, and nothing was written. False: the store failed. This tab writes no more
   * entries: they are in what is set aside, and `retryWrites` would bring them back.
   */
  async setAside(
    former: FormerCopy,
    meta: StoredMeta,
    outboxes: readonly FoldedOutbox[],
    key: OutboxKey,
    entry: OutboxEntry,
  ): Promise<boolean | null> {
    const stored = { ...entry, schemaVersion: this.#schemaVersion };
    this.#isSetAside = true;
    return this.#store.setAside(this.#document, former, meta, outboxes, key, stored).then(
      (isWritten) => (isWritten ? true : null),
      () => false,
    );
  }

  refuse(session: SessionId, code: WeftError['code']): void {
    this.#write(this.#store.refuse(this.#document, session, code), () => undefined);
  }

  /** Resolves when every write that was started has ended. */
  async settled(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }

  #add(key: OutboxKey, entry: OutboxEntry): void {
    if (this.#isSetAside) return;
    this.#beingStored += 1;
    const ended = (unstored: readonly Unstored[]) => {
      this.#beingStored -= 1;
      this.#setUnstored(unstored);
    };
    const stored = { ...entry, schemaVersion: this.#schemaVersion };
    this.#write(
      this.#store.addEntry(this.#document, key, stored).then(
        () => ended(this.#without(key, entry)),
        () => {
          // If it was acknowledged while the write was failing, nothing is lost.
          const isLost = entry.n > (this.#ackedN.get(key.session) ?? 0);
          const lost = isLost ? [{ key, entry }] : [];
          ended([...this.#without(key, entry), ...lost].sort((a, b) => a.entry.n - b.entry.n));
        },
      ),
      () => undefined,
    );
  }

  #isOfNewerApp({ entries }: StoredOutbox): boolean {
    return entries.some(({ schemaVersion = 0 }) => schemaVersion > this.#schemaVersion);
  }

  #save(part: LogPart, write: Promise<boolean>, failed: () => void): void {
    this.#beingSaved.add(part);
    this.#write(
      write.finally(() => this.#beingSaved.delete(part)).then((isOfCopy) => this.#checkCopy(isOfCopy)),
      () => {
        failed();
        this.#rememberUnsaved(part);
      },
    );
  }

  #writeAcknowledgement(session: SessionId, lastN: number, meta: StoredMeta, { rows, snapshot }: LogPart) {
    return this.#store.acknowledge(this.#document, session, lastN, meta, rows, snapshot ?? undefined);
  }

  #rememberAck(session: SessionId, lastN: number): void {
    this.#unsavedAcks.set(session, Math.max(lastN, this.#unsavedAcks.get(session) ?? 0));
  }

  #rememberUnsaved({ rows, snapshot }: LogPart): void {
    if (snapshot !== null && snapshot.seq >= (this.#unsavedSnapshot?.seq ?? 0)) this.#unsavedSnapshot = snapshot;
    for (const row of rows) {
      if (!this.#unsavedRows.has(row.seq)) this.#unsavedBytes += bytesOf(row);
      this.#unsavedRows.set(row.seq, row);
    }
    if (this.#unsavedBytes <= MAX_UNSAVED_BYTES) return;
    this.#takeUnsaved();
    this.#unsavedAcks.clear();
    this.#isMissingRows = true;
  }

  #takeUnsaved(): LogPart {
    const part = { rows: [...this.#unsavedRows.values()], snapshot: this.#unsavedSnapshot };
    this.#unsavedRows.clear();
    this.#unsavedSnapshot = null;
    this.#unsavedBytes = 0;
    return part;
  }

  /** A write succeeded, or the connection changed: there may be room again. */
  #flushIfDue(): void {
    if (!this.#hasUnsaved) return;
    this.#skipped += 1;
    if (this.#skipped > this.#skips) this.#flushIfNeeded();
  }

  #flushIfNeeded(): void {
    if (!this.#hasUnsaved || this.#isFlushing || this.#meta === null) return;
    this.#skipped = 0;
    void this.#flush(this.#meta);
  }

  get #hasUnsaved(): boolean {
    return this.#unsavedRows.size > 0 || this.#unsavedAcks.size > 0 || this.#unsavedSnapshot !== null;
  }

  async #flush(meta: StoredMeta): Promise<void> {
    this.#isFlushing = true;
    const part = joined([this.#takeUnsaved()]);
    const acks = [...this.#unsavedAcks];
    this.#unsavedAcks.clear();
    this.#beingSaved.add(part);
    const writes = acks.map(([session, lastN]) => this.#writeAcknowledgement(session, lastN, meta, part));
    if (acks.length === 0)
      writes.push(this.#store.saveRows(this.#document, meta, part.rows, part.snapshot ?? undefined));
    const done = Promise.all(writes);
    this.#track(done);
    try {
      const areOfCopy = await done;
      this.#checkCopy(areOfCopy.every(Boolean));
      this.#skips = 0;
    } catch {
      for (const [session, lastN] of acks) this.#rememberAck(session, lastN);
      this.#rememberUnsaved(part);
      this.#skips = Math.min(2 * this.#skips + 1, MAX_SKIPPED);
    }
    this.#beingSaved.delete(part);
    this.#isFlushing = false;
  }

  #without(key: OutboxKey, entry: OutboxEntry) {
    return this.#unstored.filter((other) => other.key.session !== key.session || other.entry.n !== entry.n);
  }

  #setUnstored(unstored: readonly Unstored[]): void {
    const before = this.hasOnlyInMemory;
    this.#unstored = unstored;
    if (before !== this.hasOnlyInMemory || this.#beingStored === 0) this.#emit({ type: 'storeChanged' });
  }

  #write(write: Promise<unknown>, failed: () => void): void {
    const isEnded = write.then(() => this.#flushIfDue(), failed);
    this.#track(isEnded);
  }

  /** HI6: what this tab stores would be ignored for ever. */
  #checkCopy(isOfCopy: boolean): void {
    if (!isOfCopy) this.#emit({ type: 'mustStartAnew' });
  }

  #track(write: Promise<unknown>): void {
    const tracked = write.then(
      () => void this.#writes.delete(tracked),
      () => void this.#writes.delete(tracked),
    );
    this.#writes.add(tracked);
  }
}

function joined(parts: readonly LogPart[]): LogPart {
  const snapshots = parts.flatMap(({ snapshot }) => snapshot ?? []).sort((a, b) => b.seq - a.seq);
  const [snapshot = null] = snapshots;
  const rows = new Map(parts.flatMap((part) => part.rows).map((row) => [row.seq, row]));
  const after = [...rows.values()].filter(({ seq }) => seq > (snapshot?.seq ?? 0));
  return { rows: after.sort((a, b) => a.seq - b.seq), snapshot };
}
