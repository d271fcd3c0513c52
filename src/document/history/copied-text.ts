// Follows characters that are moved or copied, so that they keep their author. This editor moves a block, splits and
// joins by deleting characters and inserting the same ones: in the log they look like new characters of the person who
// moved them.
//   Characters that a row inserts count as those that it deleted if these stood in the block with the same id, if both
//   are the same text, or if both begin or end alike in the same block or in neighbours. Longer ones count as copies of
//   text that is on the page, or was deleted a short time ago.
// The work is bounded: once the budget is spent, the person who inserted characters counts as their author.
import * as Y from 'yjs';
import { firstIndex } from '../../lib/lists/first-index.ts';
import { bodyOf } from '../names.ts';
import { ClockTable } from './clock-table.ts';
import type { ContributionIndex } from './item-history.ts';

/** Shorter texts are equal by chance. */
const MIN_COPY = 12;
/**
 * Deleted characters at the start or the end of inserted ones: someone split a block and typed at once. Blocks that are not
 * neighbours are not compared like that, because sentences begin and end alike: in one row someone may have deleted one here
 * and written another one there, an hour later and offline. Shorter equal texts count if a block was made or deleted with them.
 */
const MIN_END = 4;
/** Deleted blocks that may stand between two neighbours. */
const MAX_BETWEEN = 1000;
/** Deleted texts that may be pasted, or brought back by undo, in a later row. */
const MAX_CUT = 64;
/** Items and characters (16 at a time) that are looked at for one page: less than a second each, for moves and for copies. */
const MAX_STEPS = 6_000_000;
const MAX_SEARCH_STEPS = 6_000_000;

type Range = readonly [client: number, clock: number, length: number];
type Piece = { readonly client: number; readonly clock: number; readonly length: number };
/** A text and where its characters are. */
type Characters = { readonly text: string; readonly pieces: readonly Piece[]; readonly parent: unknown };

export type ChangedRow = {
  /** The row's first contribution. */
  readonly first: ContributionIndex;
  readonly inserted: readonly (readonly [client: number, clock: number, end: number])[];
  readonly deleted: readonly Range[];
  readonly changed: ReadonlySet<object>;
};

export class CopiedText {
  readonly #doc: Y.Doc;
  readonly #born: ClockTable;
  readonly #authors = new ClockTable();
  /** The characters of each text of the page, until it changes. */
  readonly #texts = new WeakMap<object, Characters>();
  #cut: readonly Characters[] = [];
  #stepsLeft = MAX_STEPS;
  #searchStepsLeft = MAX_SEARCH_STEPS;

  constructor(doc: Y.Doc, born: ClockTable) {
    this.#doc = doc;
    this.#born = born;
  }

  authorOf(client: number, clock: number): { readonly contribution: ContributionIndex; readonly end: number } {
    const copied = this.#authors.find(client, clock);
    const born = this.#born.find(client, clock);
    return { contribution: copied.value ?? born.value ?? 0, end: Math.min(copied.end, born.end) };
  }

  /**
   * True: characters were followed, or deleted ones may come back. A compacted row has neither, and in it the characters that
   * several people typed in an hour would look like copies.
   */
  record({ first, inserted, deleted, changed }: ChangedRow, isCompacted: boolean): boolean {
    for (const type of changed) this.#texts.delete(type);
    if (isCompacted || this.#stepsLeft <= 0) return false;
    const added = this.#charactersIn(
      inserted.map(([client, clock, end]) => [client, clock, end - clock] as const),
      (item) => !item.deleted,
    );
    if (added.length === 0 && deleted.length === 0) return false;
    const removed = this.#charactersIn(deleted, ({ id }) => !this.#isNew(id, first));
    let isFollowed = false;
    const lookup = removedTexts(removed);
    for (const characters of added) isFollowed = this.#follow(characters, lookup, first) || isFollowed;
    const cut = removed.filter(({ text }) => text.length >= MIN_COPY);
    if (cut.length > 0) this.#cut = [...cut, ...this.#cut].slice(0, MAX_CUT);
    return isFollowed || cut.length > 0;
  }

  #isNew({ client, clock }: Y.ID, first: ContributionIndex): boolean {
    return (this.#born.find(client, clock).value ?? 0) >= first;
  }

  #follow(added: Characters, removed: RemovedTexts, first: ContributionIndex): boolean {
    const id = blockIdOf(added.parent);
    const sameBlock = id === null ? undefined : removed.byBlock.get(id)?.find(({ parent }) => parent !== added.parent);
    if (sameBlock !== undefined && this.#copyEnds(added, sameBlock, 1)) return true;
    const same = removed.byText
      .get(added.text)
      ?.find(
        ({ text, parent }) =>
          text.length >= MIN_END || this.#isInNewBlock(added.parent, first) || isInDeletedBlock(parent),
      );
    if (same !== undefined && this.#copyEnds(added, same, 1)) return true;
    for (const one of removed.all) {
      if (this.#stepsLeft <= 0) return false;
      if (this.#copyPart(added, one)) return true;
      if (this.#areNeighbours(added.parent, one.parent) && this.#copyEnds(added, one, MIN_END)) return true;
    }
    if (added.text.length < MIN_COPY) return false;
    // Prefers a text that contains all of it, otherwise the longest text that is a part of it.
    let longest: Characters | null = null;
    for (const one of this.#cut) {
      if (this.#copyWhole(added, one)) return true;
      if (one.text.length <= (longest?.text.length ?? 0) || !added.text.includes(one.text)) continue;
      longest = one;
    }
    for (const one of this.#pageTexts(first)) {
      this.#searchStepsLeft -= 1 + (one.text.length >> 4);
      if (this.#copyWhole(added, one)) return true;
      if (one.text.length <= (longest?.text.length ?? 0) || !added.text.includes(one.text)) continue;
      longest = one;
    }
    return longest !== null && this.#copyPart(added, longest);
  }

  #isInNewBlock(text: unknown, first: ContributionIndex): boolean {
    const block = blockOf(text);
    return block !== null && this.#isNew(block.id, first);
  }

  /** Whether both are in the same block, or in two blocks with only deleted ones between them. */
  #areNeighbours(one: unknown, other: unknown): boolean {
    const [block, goal] = [blockOf(one), blockOf(other)];
    if (block === null || goal === null) return one === other;
    if (block === goal) return true;
    for (const side of ['left', 'right'] as const) {
      let item = block[side];
      for (let steps = 0; item !== null && item !== goal && item.deleted && steps < MAX_BETWEEN; steps++) {
        item = item[side];
        this.#stepsLeft -= 1;
      }
      if (item === goal) return true;
    }
    return false;
  }

  /** Copies the authors of the common start and end: the row moved these characters. */
  #copyEnds(added: Characters, from: Characters, atLeast: number): boolean {
    const shorter = Math.min(added.text.length, from.text.length);
    let start = 0;
    while (start < shorter && added.text[start] === from.text[start]) start++;
    let end = 0;
    while (end < shorter - start && added.text.at(-1 - end) === from.text.at(-1 - end)) end++;
    this.#stepsLeft -= start + end;
    let isFound = false;
    if (start >= atLeast) {
      this.#copy(added, 0, from, 0, start);
      isFound = true;
    }
    if (end >= atLeast) {
      this.#copy(added, added.text.length - end, from, from.text.length - end, end);
      isFound = true;
    }
    return isFound;
  }

  #copyWhole(added: Characters, from: Characters): boolean {
    this.#stepsLeft -= 1 + ((added.text.length + from.text.length) >> 4);
    if (added.text.length < MIN_COPY || this.#stepsLeft <= 0) return false;
    const at = from.text.indexOf(added.text);
    if (at < 0) return false;
    this.#copy(added, 0, from, at, added.text.length);
    return true;
  }

  /** Copies authors if one text is a part of the other. */
  #copyPart(added: Characters, from: Characters): boolean {
    if (this.#copyWhole(added, from)) return true;
    if (from.text.length < MIN_COPY || this.#stepsLeft <= 0) return false;
    const inside = added.text.indexOf(from.text);
    if (inside < 0) return false;
    this.#copy(added, inside, from, 0, from.text.length);
    return true;
  }

  /** Each character of `added` gets the author of its original, who may be that of a copy too. */
  #copy(added: Characters, at: number, from: Characters, fromAt: number, length: number): void {
    const originals = cutOut(from.pieces, fromAt, length);
    let index = 0;
    let used = 0;
    for (const { client, clock, length: all } of cutOut(added.pieces, at, length)) {
      for (let done = 0; done < all;) {
        const original = originals[index];
        if (original === undefined) return;
        const step = Math.min(all - done, original.length - used);
        const piece = { client: original.client, clock: original.clock + used, length: step };
        for (const { contribution, length: same } of this.#authorsOf(piece)) {
          this.#authors.add(client, clock + done, same, contribution);
          done += same;
        }
        used += step;
        if (used === original.length) {
          index += 1;
          used = 0;
        }
      }
    }
  }

  #authorsOf({
    client,
    clock,
    length,
  }: Piece): readonly { readonly contribution: ContributionIndex; readonly length: number }[] {
    const found: { contribution: ContributionIndex; length: number }[] = [];
    for (let at = clock; at < clock + length;) {
      const { contribution, end } = this.authorOf(client, at);
      const to = Math.min(end, clock + length);
      found.push({ contribution, length: to - at });
      at = to;
    }
    return found;
  }

  /** The characters in ranges of clocks, by the text in which they stand, in its order. */
  #charactersIn(ranges: readonly Range[], isWanted: (item: Y.Item) => boolean): readonly Characters[] {
    const byParent = new Map<unknown, (Piece & { readonly text: string })[]>();
    for (const [client, clock, length] of ranges) {
      const structs = this.#doc.store.clients.get(client);
      if (structs === undefined) continue;
      for (let at = Y.findIndexSS(structs, clock); at < structs.length; at++) {
        const struct = structs[at];
        if (struct === undefined || struct.id.clock >= clock + length) break;
        this.#stepsLeft -= 1;
        if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString) || !isWanted(struct)) continue;
        const from = Math.max(clock, struct.id.clock);
        const to = Math.min(clock + length, struct.id.clock + struct.length);
        const piece = {
          client,
          clock: from,
          length: to - from,
          text: struct.content.str.slice(from - struct.id.clock, to - struct.id.clock),
        };
        const known = byParent.get(struct.parent);
        if (known === undefined) byParent.set(struct.parent, [piece]);
        else known.push(piece);
      }
    }
    return Array.from(byParent, ([parent, pieces]) => {
      const ordered = pieces.length === 1 ? pieces : this.#inOrder(parent, pieces);
      return { parent, pieces: ordered, text: ordered.map(({ text }) => text).join('') };
    });
  }

  #inOrder<T extends Piece>(parent: unknown, pieces: readonly T[]): readonly T[] {
    if (!(parent instanceof Y.AbstractType)) return pieces;
    const places = new Map<T, number>();
    const byClient = Map.groupBy(pieces, ({ client }) => client);
    for (const list of byClient.values()) list.sort((a, b) => a.clock - b.clock);
    let place = 0;
    for (
      let item = parent._start;
      item !== null && places.size < pieces.length && this.#stepsLeft > 0;
      item = item.right
    ) {
      this.#stepsLeft -= 1;
      const { client, clock } = item.id;
      const list = byClient.get(client) ?? [];
      for (let at = firstIndex(list.length, (index) => (list[index]?.clock ?? 0) >= clock); at < list.length; at++) {
        const piece = list[at];
        if (piece === undefined || piece.clock >= clock + item.length) break;
        places.set(piece, place + piece.clock - clock);
      }
      place += item.length;
    }
    return pieces.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }

  /** The texts of the page as it was before the row. */
  *#pageTexts(first: ContributionIndex): Generator<Characters> {
    const waiting: (Y.Item | null)[] = [bodyOf(this.#doc)._start];
    while (waiting.length > 0 && this.#searchStepsLeft > 0) {
      const item = waiting.pop() ?? null;
      if (item === null) continue;
      this.#searchStepsLeft -= 1;
      waiting.push(item.right);
      if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
      const { type } = item.content;
      if (type instanceof Y.XmlText) yield this.#charactersOf(type, first);
      else waiting.push(type._start);
    }
  }

  #charactersOf(type: Y.XmlText, first: ContributionIndex): Characters {
    const known = this.#texts.get(type);
    if (known !== undefined) return known;
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let hasNew = false;
    for (let item = type._start; item !== null; item = item.right) {
      this.#searchStepsLeft -= 1;
      if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
      // An item may have grown by characters of this row.
      const { client, clock } = item.id;
      let to = clock;
      while (to < clock + item.length) {
        const { value, end } = this.#born.find(client, to);
        if ((value ?? 0) >= first) break;
        to = Math.min(end, clock + item.length);
      }
      hasNew ||= to < clock + item.length;
      if (to === clock) continue;
      pieces.push({ client, clock, length: to - clock });
      texts.push(item.content.str.slice(0, to - clock));
    }
    const characters = { text: texts.join(''), pieces, parent: type };
    if (!hasNew) this.#texts.set(type, characters);
    return characters;
  }
}

/** The texts that a row removed, to be found by the id of their block and by what they say. */
const removedTexts = (all: readonly Characters[]) => ({
  all,
  byBlock: Map.groupBy(all, ({ parent }) => blockIdOf(parent)),
  byText: Map.groupBy(all, ({ text }) => text),
});
type RemovedTexts = ReturnType<typeof removedTexts>;

/** The pieces of a part of a text. */
function cutOut(pieces: readonly Piece[], from: number, length: number): readonly Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const [start, end] = [Math.max(from, at), Math.min(from + length, at + piece.length)];
    if (start < end) found.push({ client: piece.client, clock: piece.clock + start - at, length: end - start });
    at += piece.length;
    if (at >= from + length) break;
  }
  return found;
}

/** The item of the block or the cell that a text stands in. */
const blockOf = (text: unknown): Y.Item | null =>
  text instanceof Y.XmlText && text.parent instanceof Y.XmlElement ? text.parent._item : null;

const isInDeletedBlock = (text: unknown): boolean => blockOf(text)?.deleted ?? false;

function blockIdOf(text: unknown): string | null {
  const element = text instanceof Y.XmlText ? text.parent : null;
  if (!(element instanceof Y.XmlElement)) return null;
  // This also finds the id of a deleted block, whose attributes are deleted with it.
  const item = element._map.get('id');
  const value: unknown = item?.content.getContent().at(-1);
  return typeof value === 'string' ? value : null;
}
