// The edits of one session that the server has not acknowledged, by number. Knows nothing of store or network.
import type { Bytes } from '../../lib/bytes.ts';
import { groupBySize } from '../../lib/lists/group-by-size.ts';
import type { OutboxEntry, OutboxKey } from '../ports.ts';
import type { WeftError } from '../protocol/errors.ts';
import { PUT_BACK_CLIENT_ID, type SessionId } from '../protocol/ids.ts';
import type { Part } from '../protocol/row.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';

/** Merging reads everything each time, so a larger outbox goes in several appends. */
export const MAX_BATCH_BYTES = 512 * 1024;

export type Batch = { readonly nFrom: number; readonly nTo: number; readonly update: Bytes };

type Range = { readonly from: number; readonly to: number };

export class Outbox {
  readonly key: OutboxKey;
  #entries: OutboxEntry[];
  #lastN: number;
  #ackedN: number;
  #refused: WeftError | null = null;
  #registered = false;
  /** Numbers of other sessions' edits that entries are stored with, in ranges that neither touch nor overlap. */
  readonly #stored = new Map<SessionId, readonly Range[]>();

  constructor(key: OutboxKey, entries: readonly OutboxEntry[] = []) {
    this.key = key;
    this.#entries = [...entries];
    for (const entry of entries) this.#storedWith(entry);
    this.#lastN = entries.at(-1)?.n ?? 0;
    this.#ackedN = (entries[0]?.n ?? 1) - 1;
  }

  get session(): SessionId {
    return this.key.session;
  }
  /** Grows in place: after a long time without network a copy per key would cost more than the key. */
  get entries(): readonly OutboxEntry[] {
    return this.#entries;
  }
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }
  get lastN(): number {
    return this.#lastN;
  }
  get ackedN(): number {
    return this.#ackedN;
  }
  get refused(): WeftError | null {
    return this.#refused;
  }
  get isRegistered(): boolean {
    return this.#registered;
  }
  /** HI3: what the server lost. It is not appended, but put back. */
  get isPutBack(): boolean {
    return this.key.clientId === PUT_BACK_CLIENT_ID;
  }

  add(update: Bytes, at: number, buildsOn: readonly Part[]): OutboxEntry {
    this.#lastN += 1;
    const entry: OutboxEntry = { n: this.#lastN, update, at, buildsOn };
    this.#entries.push(entry);
    this.#storedWith(entry);
    return entry;
  }

  /** Replaces the updates of entries and of their dependencies. Returns the entries that have changed. */
  rewrite(written: (update: Bytes) => Bytes): readonly OutboxEntry[] {
    const rewritten: OutboxEntry[] = [];
    this.#entries = this.#entries.map((entry) => {
      const update = written(entry.update);
      const buildsOn = entry.buildsOn.map((part) => ({ ...part, update: written(part.update) }));
      const isSame =
        update === entry.update && buildsOn.every((part, at) => part.update === entry.buildsOn[at]?.update);
      if (isSame) return entry;
      const other = { ...entry, update, buildsOn };
      rewritten.push(other);
      return other;
    });
    return rewritten;
  }

  /** The server holds everything up to `lastN`. The caller deletes it from the store in the same task (I2). */
  acknowledge(lastN: number): void {
    this.#ackedN = Math.max(this.#ackedN, Math.min(lastN, this.#lastN));
    this.#entries = this.#entries.filter((entry) => entry.n > this.#ackedN);
    this.#stored.clear();
    for (const entry of this.#entries) this.#storedWith(entry);
  }

  /** The entries after this number. */
  after(n: number): readonly OutboxEntry[] {
    return this.#entries.slice(Math.max(0, n + 1 - (this.#entries[0]?.n ?? 0)));
  }

  /** Entries are stored with these edits of another session already, in whatever parts. */
  isStoredWith({ session, nFrom, nTo }: Part): boolean {
    return this.#stored.get(session)?.some(({ from, to }) => from <= nFrom && to >= nTo) ?? false;
  }

  /** From the first unacknowledged entry on, as much as merges into `maxBytes`, but at least one entry (D2). */
  batch(maxBytes: number): Batch | null {
    const first = this.#entries[0];
    if (first === undefined) return null;
    const updates: Bytes[] = [];
    let bytes = 0;
    let nTo = first.n;
    for (const entry of this.#entries) {
      bytes += entry.update.length;
      if (updates.length > 0 && bytes > maxBytes) break;
      updates.push(entry.update);
      nTo = entry.n;
    }
    return { nFrom: first.n, nTo, update: mergeUpdates(updates) };
  }

  /** Live updates of others that the entries build on and are stored with. */
  get buildsOn(): readonly Part[] {
    return this.#entries.flatMap((entry) => entry.buildsOn);
  }

  /** The first batch, as another append brings it along. Null: there is none. */
  part(maxBytes: number): Part | null {
    const batch = this.batch(maxBytes);
    return batch === null ? null : { ...this.key, ...batch };
  }

  /** Everything, in batches of at most that size; a larger entry alone. */
  parts(maxBytes: number): readonly Part[] {
    return groupBySize(this.#entries, maxBytes, ({ update }) => update.length).map((entries) => ({
      ...this.key,
      nFrom: entries[0]?.n ?? 0,
      nTo: entries.at(-1)?.n ?? 0,
      update: mergeUpdates(entries.map(({ update }) => update)),
    }));
  }

  /** Everything to be put back, with the live updates that it builds on. */
  putBackUpdate(): Bytes {
    return mergeUpdates([...this.buildsOn, ...this.#entries].map(({ update }) => update));
  }

  /** All unacknowledged edits as one update. */
  merged(): Bytes {
    return mergeUpdates(this.#entries.map((entry) => entry.update));
  }

  /** The database knows the session: it may append. */
  markRegistered(): void {
    this.#registered = true;
  }

  /** It can never be saved. */
  refuse(error: WeftError): void {
    this.#refused = error;
  }

  #storedWith({ buildsOn }: OutboxEntry): void {
    for (const { session, nFrom, nTo } of buildsOn) {
      const ranges = this.#stored.get(session) ?? [];
      const touched = ranges.filter(({ from, to }) => from <= nTo + 1 && to >= nFrom - 1);
      const one = {
        from: Math.min(nFrom, ...touched.map(({ from }) => from)),
        to: Math.max(nTo, ...touched.map(({ to }) => to)),
      };
      this.#stored.set(session, [...ranges.filter((range) => !touched.includes(range)), one]);
    }
  }
}
