// Words of this person that somebody's deleting took along: kept until they are answered, on this device, by page.
import * as v from 'valibot';
import type { Cancel } from '../../lib/cancel.ts';
import { type DocumentId, parseUserId } from '../../protocol/ids.ts';

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
  /** Tells of what was written elsewhere: by another tab, or by another list in this one. */
  watch(run: () => void): Cancel;
}

/** More than this nobody reads. */
const MAX_KEPT = 50;

export class LostList {
  readonly #document: DocumentId;
  readonly #shelf: LostWordsShelf;
  readonly #watchers = new Set<() => void>();
  #all: readonly Lost[];
  /** What `#all` was read from. */
  #text: string | null;
  #stopWatching: Cancel | null = null;

  constructor(document: DocumentId, shelf: LostWordsShelf) {
    this.#document = document;
    this.#shelf = shelf;
    this.#text = shelf.read(document);
    this.#all = parseLost(this.#text);
  }

  readonly get = (): readonly Lost[] => {
    // Nobody who watches, nobody who heard.
    if (this.#stopWatching === null) this.#look();
    return this.#all;
  };

  readonly subscribe = (run: () => void): Cancel => {
    this.#watchers.add(run);
    this.#stopWatching ??= this.#shelf.watch(this.#look);
    return () => {
      this.#watchers.delete(run);
      if (this.#watchers.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = null;
    };
  };

  add(lost: Lost): void {
    this.#change((kept) => [...kept, lost].slice(-MAX_KEPT));
  }

  answer(key: string): void {
    this.#change((kept) => kept.filter((one) => one.key !== key));
  }

  /** Of what the shelf has now: another tab of this page may have kept some since. */
  #change(change: (kept: readonly Lost[]) => readonly Lost[]): void {
    const kept = change(parseLost(this.#shelf.read(this.#document)));
    this.#shelf.write(this.#document, kept.length === 0 ? null : JSON.stringify(kept));
    this.#look();
  }

  readonly #look = (): void => {
    const text = this.#shelf.read(this.#document);
    if (text === this.#text) return;
    this.#text = text;
    this.#all = parseLost(text);
    for (const run of this.#watchers) run();
  };
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
