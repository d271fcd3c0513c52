// Records which contribution inserted and removed each item of a page while its log is replayed, and the authors of moved
// characters.
import * as Y from 'yjs';
import { bodyOf, titleOf } from '../names.ts';
import { CharacterIds } from './character-ids.ts';
import { ClockTable } from './clock-table.ts';
import { CopiedText } from './copied-text.ts';
import { type ContributionIndex, ItemHistory } from './item-history.ts';

/** Half-open ranges of clocks, by client. */
export type ClockRanges = ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;

/** One person's part of a row. */
export type RowPart<Contribution> = {
  readonly contribution: Contribution;
  /** Client → where its structs end. */
  readonly ends: ReadonlyMap<number, number>;
  readonly deletes: ClockRanges;
};

export class PageRecord<Contribution> {
  readonly doc: Y.Doc;
  readonly items: ItemHistory;
  readonly #contributions: Contribution[] = [];
  /** By contribution: the first one of its row. */
  readonly #firstOfRow: ContributionIndex[] = [];
  readonly #born = new ClockTable();
  readonly #died = new ClockTable();
  readonly #copied: CopiedText;
  /** Characters that the transactions of the present row deleted, and types that they changed. */
  #deleted: (readonly [client: number, clock: number, length: number])[] = [];
  #changed = new Set<object>();
  /** By contribution: characters inserted and removed. */
  readonly #inserted: number[] = [];

  /** The document must be empty. It remembers everything from now on. */
  constructor(doc: Y.Doc) {
    this.doc = doc;
    doc.gc = false;
    bodyOf(doc);
    titleOf(doc);
    this.items = new ItemHistory(this.#born, this.#died);
    this.#copied = new CopiedText(doc, this.#born);
    doc.on('afterTransaction', ({ deleteSet, changedParentTypes }: Y.Transaction) => {
      for (const [client, ranges] of deleteSet.clients)
        for (const { clock, len } of ranges) this.#deleted.push([client, clock, len]);
      for (const type of changedParentTypes.keys()) this.#changed.add(type);
    });
  }

  /** The number of contributions so far. As a limit it stands for the page as it is now. */
  get length(): ContributionIndex {
    return this.#contributions.length;
  }

  contribution(index: ContributionIndex): Contribution | undefined {
    return this.#contributions[index];
  }

  /** The same for all contributions of a row. Later rows have higher ones. */
  readonly rowOf = (index: ContributionIndex): ContributionIndex => this.#firstOfRow[index] ?? index;

  /** About how many words a contribution inserted. */
  wordsOf(index: ContributionIndex): number {
    return Math.ceil((this.#inserted[index] ?? 0) / CHARACTERS_PER_WORD);
  }

  /**
   * Call it after a row was applied, with the contributions of its parts, that of the row's author last. True: it moved or copied
   * text, or deleted some that may come back. A compacted row has none of that.
   */
  record(parts: readonly RowPart<Contribution>[], isCompacted = false): boolean {
    const first = this.#contributions.length;
    const inserted: (readonly [client: number, clock: number, end: number])[] = [];
    for (const { contribution, ends } of parts) {
      const index = this.#contributions.push(contribution) - 1;
      this.#firstOfRow[index] = first;
      let characters = 0;
      for (const [client, end] of ends) {
        const from = this.#born.endOf(client);
        if (end <= from) continue;
        this.#born.add(client, from, end - from, index);
        inserted.push([client, from, end]);
        characters += end - from;
      }
      this.#inserted[index] = characters;
    }
    const named = parts.length === 1 ? [] : parts.map(({ deletes }) => idsOf(deletes));
    const own = first + parts.length - 1;
    for (const [client, clock, length] of this.#deleted) {
      const left = this.#removedBy(named, first, client, clock, length);
      for (const [from, to] of left) this.#died.add(client, from, to - from, own);
      this.#touch(client, clock, length);
    }
    this.items.forget(this.#changed);
    const isTelling = this.#copied.record(
      { first, inserted, deleted: this.#deleted, changed: this.#changed },
      isCompacted,
    );
    this.#deleted = [];
    this.#changed = new Set();
    return isTelling;
  }

  /** Call it if the row was skipped. */
  discard(): void {
    this.#deleted = [];
    this.#changed = new Set();
  }

  /** The contribution that first wrote these characters, wherever they stood then, and the clock before which that holds. */
  authorOf(client: number, clock: number): { readonly contribution: ContributionIndex; readonly end: number } {
    return this.#copied.authorOf(client, clock);
  }

  /** Yjs does not report changes inside of a node that is deleted as a whole. */
  #touch(client: number, clock: number, length: number): void {
    const structs = this.doc.store.clients.get(client) ?? [];
    for (let at = structs.length === 0 ? 0 : Y.findIndexSS(structs, clock); at < structs.length; at++) {
      const struct = structs[at];
      if (struct === undefined || struct.id.clock >= clock + length) return;
      let parent: unknown = struct instanceof Y.Item ? struct.parent : null;
      while (parent instanceof Y.AbstractType && !this.#changed.has(parent)) {
        this.#changed.add(parent);
        parent = parent._item?.parent;
      }
    }
  }

  /**
   * A part that names a deletion made it. Returns the characters that no part names: they were deleted with the node around them.
   */
  #removedBy(
    named: readonly CharacterIds[],
    first: ContributionIndex,
    client: number,
    clock: number,
    length: number,
  ): readonly (readonly [from: number, to: number])[] {
    let left: readonly (readonly [from: number, to: number])[] = [[clock, clock + length]];
    for (const [at, ids] of named.entries()) {
      left = left.flatMap(([from, to]) => {
        const rest: (readonly [from: number, to: number])[] = [];
        let next = from;
        for (const [start, end] of ids.within(client, from, to - from)) {
          this.#died.add(client, start, end - start, first + at);
          if (start > next) rest.push([next, start]);
          next = end;
        }
        return next < to ? [...rest, [next, to] as const] : rest;
      });
    }
    return left;
  }
}

function idsOf(deletes: ClockRanges): CharacterIds {
  const ids = new CharacterIds();
  for (const [client, ranges] of deletes) for (const { clock, len } of ranges) ids.add(client, clock, len);
  return ids;
}

/** Including the space after a word. The same for every language, because the number is only drawn. */
const CHARACTERS_PER_WORD = 6;
