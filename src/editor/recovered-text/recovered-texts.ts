// Text that was deleted with a block: by someone who had not seen it, or soon after this user wrote it. It is this user's own, or
// someone else's (`writer`) that was lost before this visit. Stored per page on this device until the user decides.
import * as v from 'valibot';
import { type DocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseJsonOrNull, parseOrNull } from '../../lib/parse-or-null.ts';
import { Subscribable } from '../../lib/subscribable.ts';

const Entry = v.object({
  /** The Yjs id of the first lost character, so that the same loss is added once. With `deleted`: a random id. */
  key: v.string(),
  /** The time in ms since 1970. */
  at: v.number(),
  /** The user who deleted the block; null if unknown. */
  by: v.nullable(v.pipe(v.string(), v.transform(parseUserId))),
  /** The user who wrote the words, if someone else. */
  writer: v.exactOptional(v.pipe(v.string(), v.transform(parseUserId))),
  words: v.string(),
  /** The kind of the deleted block. */
  kind: v.string(),
  /** Ids of the blocks before it, the nearest first. */
  after: v.array(v.string()),
  /** Only rows or a column of a table were deleted. `after` begins with the table's id. */
  line: v.exactOptional(v.picklist(['row', 'column'])),
  /** When the page's history had last begun again, as of the time this was stored. Missing: never. */
  historyBeganAt: v.exactOptional(v.number()),
  /** Blocks, rows or columns that were deleted after this user wrote in them. */
  deleted: v.exactOptional(
    v.object({
      /** The ids of the blocks. Of a table's rows or columns: as many as were deleted. */
      ids: v.array(v.string()),
      /** What was deleted, as a page file (JSON). Null if it was too long. A column is kept as rows of its cells. */
      file: v.nullable(v.string()),
      /** The number of the first row or column in its table, from 0, and the words of each. */
      lines: v.exactOptional(v.object({ at: v.number(), words: v.array(v.string()) })),
    }),
  ),
});
export type RecoveredTextEntry = v.InferOutput<typeof Entry>;

/** The device's storage of the entries: a text by page; null deletes it. */
export interface RecoveredTextStore {
  read(document: DocumentId): string | null;
  write(document: DocumentId, text: string | null): void;
  /** Calls `run` when a list in this tab or in another one writes. */
  watch(run: () => void): Cancel;
}

/** So many entries are stored per page. Older ones are dropped: no one would read more. */
const MAX_STORED = 50;

export class RecoveredTexts {
  readonly #document: DocumentId;
  readonly #store: RecoveredTextStore;
  readonly #changes = new Subscribable();
  /** Keys of the entries that were added here. The log may report one again after the user has resolved it. */
  readonly #added = new Set<string>();
  #all: readonly RecoveredTextEntry[];
  /** The text that `#all` was parsed from. */
  #text: string | null;
  #stopWatching: Cancel | null = null;
  #historyBeganAt = 0;

  constructor(document: DocumentId, store: RecoveredTextStore) {
    this.#document = document;
    this.#store = store;
    this.#text = store.read(document);
    this.#all = parseRecoveredTexts(this.#text);
  }

  readonly get = (): readonly RecoveredTextEntry[] => {
    // Without subscribers nothing reports changes, so the store is read again.
    if (this.#stopWatching === null) this.#reload();
    return this.#all;
  };

  readonly subscribe = (run: () => void): Cancel => {
    const unsubscribe = this.#changes.subscribe(run);
    if (this.#stopWatching === null) {
      this.#stopWatching = this.#store.watch(this.#reload);
      // Another tab may have written since the last `get`.
      this.#reload();
    }
    return () => {
      unsubscribe();
      if (this.#changes.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = null;
    };
  };

  add(entry: RecoveredTextEntry): void {
    if (this.#added.has(entry.key) || this.get().some(({ key }) => key === entry.key)) return;
    this.#added.add(entry.key);
    const began = this.#historyBeganAt === 0 ? {} : { historyBeganAt: this.#historyBeganAt };
    this.#change((entries) => [...entries, { ...entry, ...began }].slice(-MAX_STORED));
  }

  /** The page's history began again at this time (0: never). Drops older entries, because they may contain the erased words. */
  noteBeginning(historyBeganAt: number): void {
    if (historyBeganAt <= this.#historyBeganAt) return;
    this.#historyBeganAt = historyBeganAt;
    this.#change((entries) => entries.filter((one) => (one.historyBeganAt ?? 0) >= historyBeganAt));
  }

  resolve(key: string): void {
    this.#change((entries) => entries.filter((one) => one.key !== key));
  }

  /** Starts from what is stored now: another tab of this page may have added entries. */
  #change(change: (entries: readonly RecoveredTextEntry[]) => readonly RecoveredTextEntry[]): void {
    const entries = change(parseRecoveredTexts(this.#store.read(this.#document)));
    this.#store.write(this.#document, entries.length === 0 ? null : JSON.stringify(entries));
    this.#reload();
  }

  readonly #reload = (): void => {
    const text = this.#store.read(this.#document);
    if (text === this.#text) return;
    this.#text = text;
    this.#all = parseRecoveredTexts(text);
    this.#changes.notify();
  };
}

/** Entries that do not parse are left out. */
export const parseRecoveredTexts = (text: string | null): readonly RecoveredTextEntry[] =>
  (parseJsonOrNull(v.array(v.unknown()), text) ?? []).flatMap((one) => parseOrNull(Entry, one) ?? []);
