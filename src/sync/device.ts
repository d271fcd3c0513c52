// The store of one document as the session uses it: failures never stop the session, they are remembered (WF012).
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentId, SessionId } from '../protocol/ids.ts';
import type { Row } from '../protocol/row.ts';
import type { OutboxEntry, OutboxKey, Store, StoredDocument, StoredMeta, StoredSnapshot } from './ports.ts';

type Unstored = { readonly key: OutboxKey; readonly entry: OutboxEntry };

export class Device {
  readonly #store: Store;
  readonly #document: DocumentId;
  readonly #changed: () => void;
  /** Entries the store did not take, in order: written again before the next one, so that no number is left out. */
  #unstored: readonly Unstored[] = [];
  #beingStored = 0;
  readonly #writes = new Set<Promise<void>>();
  readonly #ackedN = new Map<SessionId, number>();

  constructor(store: Store, document: DocumentId, changed: () => void) {
    this.#store = store;
    this.#document = document;
    this.#changed = changed;
  }

  /** Unsent edits that only this tab holds. */
  get holdsOnlyInMemory(): boolean {
    return this.#unstored.length > 0;
  }

  /** Entries whose writes are under way. */
  get beingStored(): number {
    return this.#beingStored;
  }

  async load(): Promise<StoredDocument | null> {
    try {
      return await this.#store.load(this.#document);
    } catch {
      // Nothing can be read, so nothing will be written either: the first edit says so.
      return null;
    }
  }

  /** D5: starts the write in the caller's task. */
  addEntry(key: OutboxKey, entry: OutboxEntry): void {
    for (const { key: late, entry: lateEntry } of this.#unstored) this.#add(late, lateEntry);
    this.#add(key, entry);
  }

  /** What the store did not take is written once more: there may be room again. */
  tryAgain(): void {
    if (this.#beingStored > 0) return;
    for (const { key, entry } of this.#unstored) this.#add(key, entry);
  }

  saveRows(meta: StoredMeta, rows: readonly Row[], snapshot?: StoredSnapshot): void {
    this.#write(this.#store.saveRows(this.#document, meta, rows, snapshot));
  }

  /** I2: entries leave in the transaction that stores the answer's rows. */
  acknowledge(session: SessionId, lastN: number, meta: StoredMeta, rows: readonly Row[]): void {
    this.#ackedN.set(session, lastN);
    this.#unstored = this.#unstored.filter(({ key, entry }) => key.session !== session || entry.n > lastN);
    this.#write(this.#store.acknowledge(this.#document, session, lastN, meta, rows));
  }

  refuse(session: SessionId, code: WeftError['code']): void {
    this.#write(this.#store.refuse(this.#document, session, code));
  }

  /** Resolves when every write that was started has ended. */
  async settled(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }

  #add(key: OutboxKey, entry: OutboxEntry): void {
    this.#beingStored += 1;
    const ended = (unstored: readonly Unstored[]) => {
      this.#beingStored -= 1;
      this.#setUnstored(unstored);
    };
    this.#write(
      this.#store.addEntry(this.#document, key, entry).then(
        () => ended(this.#without(key, entry)),
        () => {
          // Acknowledged while the write was failing: nothing is lost.
          const isLost = entry.n > (this.#ackedN.get(key.session) ?? 0);
          const late = isLost ? [{ key, entry }] : [];
          ended([...this.#without(key, entry), ...late].sort((a, b) => a.entry.n - b.entry.n));
        },
      ),
    );
  }

  #without(key: OutboxKey, entry: OutboxEntry) {
    return this.#unstored.filter((late) => late.key.session !== key.session || late.entry.n !== entry.n);
  }

  #setUnstored(unstored: readonly Unstored[]): void {
    const before = this.holdsOnlyInMemory;
    this.#unstored = unstored;
    if (before !== this.holdsOnlyInMemory || this.#beingStored === 0) this.#changed();
  }

  /** A row that was not stored is fetched again at the next start; only entries are worth more than one try. */
  #write(write: Promise<void>): void {
    const tracked = write.then(
      () => void this.#writes.delete(tracked),
      () => void this.#writes.delete(tracked),
    );
    this.#writes.add(tracked);
  }
}
