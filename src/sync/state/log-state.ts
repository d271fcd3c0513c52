// The part of the log that is here: the rows in the shown document, the number of the newest known row, and the copy of
// both on the device. Asks no one for rows.
import type { StoredMeta, StoredSnapshot } from '../ports.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import { ChangeTime } from './change-time.ts';
import type { DocumentStore } from './document-store.ts';
import type { Replica } from './replica.ts';

export class LogState {
  readonly changeTime = new ChangeTime();
  readonly #store: DocumentStore;
  #replica: Replica;
  #head: number | null = null;
  #acknowledgedSeq = 0;
  #isReadOnly = false;
  #copy: string | undefined;
  /** HI5: what was set aside before this time is not put back; null: everything is. */
  finalRestoreAt: number | null = null;
  /** HI9: when the page's history began again; null: it never did. */
  historyBeganAt: number | null = null;
  #meta: Omit<StoredMeta, 'seq' | 'changedAt' | 'copy' | 'historyBeganAt'> = {
    schemaVersion: 0,
    title: '',
    role: 'viewer',
  };

  constructor(replica: Replica, store: DocumentStore) {
    this.#replica = replica;
    this.#store = store;
  }

  /** A rebuild replaces it. */
  get replica(): Replica {
    return this.#replica;
  }
  /** Every row up to here is shown. */
  get seq(): number {
    return this.#replica.seq;
  }
  /** When the row `seq` was written (HI1); null: not known. */
  get at(): number | null {
    return this.#replica.at;
  }
  /** The id of the device's copy that this tab reads and writes (HI6). */
  get copy(): string | undefined {
    return this.#copy;
  }
  /** Bytes of the shown rows that are not part of a snapshot. */
  get takenBytes(): number {
    return this.#replica.takenBytes;
  }
  /** Everything up to the head of the last answer is shown. */
  get isUpToDate(): boolean {
    return this.#head !== null && !this.isBehind;
  }
  /** A row exists that is not here. */
  get isBehind(): boolean {
    return this.#replica.seq < (this.#head ?? 0) || this.#replica.hasGap;
  }
  /** The page's schema, as the newest answer named it. */
  get schemaVersion(): number {
    return this.#meta.schemaVersion;
  }
  /** The row of the newest acknowledged edits. */
  get acknowledgedSeq(): number {
    return this.#acknowledgedSeq;
  }
  /** The person may not edit the page, as far as is known. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }
  get meta(): StoredMeta {
    const { at } = this.changeTime;
    return {
      ...this.#meta,
      seq: this.#replica.seq,
      ...(at === null ? {} : { changedAt: at }),
      ...(this.historyBeganAt === null ? {} : { historyBeganAt: this.historyBeganAt }),
      ...(this.#copy === undefined ? {} : { copy: this.#copy }),
    };
  }

  setCopy(copy: string | undefined): void {
    this.#copy = copy;
  }

  setMeta({ role, schemaVersion, title }: Omit<StoredMeta, 'seq' | 'changedAt' | 'copy' | 'historyBeganAt'>): void {
    this.#isReadOnly = !mayEdit(role);
    this.#meta = { role, schemaVersion, title };
  }

  /** SY2: a tab that missed "moved" learns of a newer schema from any answer, not only from the open call. */
  learn(role: DocumentRole, schemaVersion = 0): void {
    this.#isReadOnly = !mayEdit(role);
    this.#meta = { ...this.#meta, role, schemaVersion: Math.max(schemaVersion, this.#meta.schemaVersion) };
  }

  /** An answer's head is the truth of that moment. */
  setHead(head: number): void {
    this.#head = head;
  }

  /** A message of the database may be older than the last answer. */
  raiseHead(head: number): void {
    this.#head = Math.max(this.#head ?? 0, head);
  }

  raiseAcknowledged(seq: number): void {
    this.#acknowledgedSeq = Math.max(this.#acknowledgedSeq, seq);
  }

  /** A snapshot replaces what the device stores up to its seq. */
  save(rows: readonly Row[], snapshot?: StoredSnapshot): void {
    this.#store.saveRows(this.meta, rows, snapshot);
  }

  replaceReplica(replica: Replica): void {
    this.#replica = replica;
  }
}
