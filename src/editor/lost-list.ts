// Words of this person that somebody's deleting took along: kept until they are answered, on this device, by page.
import * as v from 'valibot';
import type { Cancel } from '../lib/cancel.ts';
import { type DocumentId, parseUserId } from '../protocol/ids.ts';

const Entry = v.object({
  key: v.string(),
  /** When, ms since 1970. */
  at: v.number(),
  /** Whose edit it was; null when not known. */
  by: v.nullable(v.pipe(v.string(), v.transform(parseUserId))),
  words: v.string(),
  /** Of the block that went. */
  kind: v.string(),
  /** Ids of the blocks before it, the nearest first. */
  after: v.array(v.string()),
});
export type Lost = v.InferOutput<typeof Entry>;

/** Where a device keeps them: text under a name; null takes it away. */
export interface LostWordsShelf {
  read(document: DocumentId): string | null;
  write(document: DocumentId, text: string | null): void;
}

/** More than this nobody reads. */
const MAX_KEPT = 50;

export class LostList {
  readonly #document: DocumentId;
  readonly #shelf: LostWordsShelf;
  readonly #watchers = new Set<() => void>();
  #all: readonly Lost[];

  constructor(document: DocumentId, shelf: LostWordsShelf) {
    this.#document = document;
    this.#shelf = shelf;
    this.#all = parseLost(shelf.read(document));
  }

  readonly get = (): readonly Lost[] => this.#all;

  readonly subscribe = (run: () => void): Cancel => {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  };

  add(lost: Lost): void {
    this.#set([...this.#all, lost].slice(-MAX_KEPT), (kept) => [...kept, lost].slice(-MAX_KEPT));
  }

  answer(key: string): void {
    const others = (all: readonly Lost[]) => all.filter((one) => one.key !== key);
    this.#set(others(this.#all), others);
  }

  /** Another tab of this page may have kept some since. */
  #set(all: readonly Lost[], change: (kept: readonly Lost[]) => readonly Lost[]): void {
    this.#all = all;
    const kept = change(parseLost(this.#shelf.read(this.#document)));
    this.#shelf.write(this.#document, kept.length === 0 ? null : JSON.stringify(kept));
    for (const run of this.#watchers) run();
  }
}

/** What does not parse is left out. */
export function parseLost(text: string | null): readonly Lost[] {
  if (text === null) return [];
  try {
    const parsed = v.safeParse(v.array(v.unknown()), JSON.parse(text));
    if (!parsed.success) return [];
    return parsed.output.flatMap((one) => {
      const entry = v.safeParse(Entry, one);
      return entry.success ? [entry.output] : [];
    });
  } catch {
    return [];
  }
}
