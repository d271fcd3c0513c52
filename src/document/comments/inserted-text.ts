// The characters that a transaction inserted into a page, and the words of a comment among them. Call this while the
// transaction's listeners run.
import * as Y from 'yjs';
import { wasThere } from '../recovered-text/deleted-part.ts';
import type { PageMoment } from './find-anchor.ts';
import { type Words, candidatesIn, mostLike, passageOf } from './find-words.ts';
import type { PageTexts, Passage } from './page-texts.ts';

/** Characters one after the other; offsets in the page's text. */
type Run = { readonly from: number; readonly to: number };

/** So many characters, words and what is equal around them, are no accident if the words went just now, or earlier. */
const MIN_LIKE_NOW = 5;
const MIN_LIKE_LATER = 10;
/** The least number if nothing around the words is the same. */
const MIN_ALONE = 8;
/** Fewer are enough if nothing else was inserted beside them. */
const MIN_WHOLE = 4;
/** Still fewer are enough only if they were pasted right after they were cut, and no other place has them. */
const MIN_PASTED = 2;

/** When the words went: in the same transaction; cut by this device, which has inserted nothing since; or before. */
export type WhenLost = 'now' | 'just cut' | 'before';

export class InsertedText {
  /** How many characters were inserted. */
  readonly length: number;
  readonly #transaction: Y.Transaction;
  readonly #texts = new Set<Y.XmlText>();
  #runs: readonly Run[] | null = null;

  constructor(transaction: Y.Transaction) {
    this.#transaction = transaction;
    let length = 0;
    for (const item of insertedItems(transaction)) {
      if (item.deleted || !(item.content instanceof Y.ContentString) || !(item.parent instanceof Y.XmlText)) continue;
      length += item.length;
      this.#texts.add(item.parent);
    }
    this.length = length;
  }

  isIn(texts: readonly Y.XmlText[]): boolean {
    return texts.some((text) => this.#texts.has(text));
  }

  /** The place among the inserted characters that is clearly most like the words. Null if there is none. */
  find({ text }: PageMoment, words: Words, when: WhenLost): Passage | null {
    const { length } = words.quote;
    // Most keys end here, without reading the page. Words this short are found later, by what is around them.
    const isShort = when !== 'now' && length < MIN_WHOLE;
    const isPasted = when === 'just cut' && length >= MIN_PASTED && length === this.length;
    if (length > 2 * this.length || (isShort && !isPasted)) return null;
    const page = text();
    const places = new Map<number, ReturnType<typeof mostLike>>();
    for (const { from, to } of this.#runsOf(page)) {
      const near = candidatesIn(page, words, Math.max(0, from - length), to + length);
      if (near === null) return null;
      for (const one of near) if (this.#isMostlyNew(page, one.at, one.at + length)) places.set(one.at, one);
    }
    const found = mostLike([...places.values()].filter((one) => one !== null));
    if (found === null) return null;
    if (isShort)
      return this.#isWhole(page, found.at, found.at + length) && isOnlyPlace(page, words.quote, found.at)
        ? passageOf(page, words, found)
        : null;
    const isAlone = found.likeness === 0;
    const isSure = isAlone
      ? length >= MIN_ALONE
      : length + found.likeness >= (when === 'now' ? MIN_LIKE_NOW : MIN_LIKE_LATER);
    return isSure || (length >= MIN_WHOLE && this.#isWhole(page, found.at, found.at + length))
      ? passageOf(page, words, found)
      : null;
  }

  /** The place of the words around `from` to `to`, where the part of them that is left stands. */
  findAround(page: PageTexts, words: Words, from: number, to: number): Passage | null {
    const { length } = words.quote;
    if (length <= to - from) return null;
    const around = candidatesIn(page, words, Math.max(0, to - length), from + length) ?? [];
    const found = mostLike(around.filter(({ at }) => this.#newIn(page, at, at + length) > 0));
    return found === null ? null : passageOf(page, words, found);
  }

  /** Whether all characters between two places are new. Line breaks between texts do not count. */
  areNew(page: PageTexts, from: number, to: number): boolean {
    return this.#newIn(page, from, to) === to - from - breaksIn(page, from, to);
  }

  #isMostlyNew(page: PageTexts, from: number, to: number): boolean {
    return this.#newIn(page, from, to) * 2 > to - from - breaksIn(page, from, to);
  }

  /** Exactly these characters were inserted there. */
  #isWhole(page: PageTexts, from: number, to: number): boolean {
    const runs = this.#runsOf(page);
    return runs.some((run) => run.from === from) && runs.some((run) => run.to === to);
  }

  #newIn(page: PageTexts, from: number, to: number): number {
    return this.#runsOf(page).reduce(
      (sum, run) => sum + Math.max(0, Math.min(to, run.to) - Math.max(from, run.from)),
      0,
    );
  }

  /** `page`: as it is after the transaction. */
  #runsOf(page: PageTexts): readonly Run[] {
    return (this.#runs ??= [...this.#texts].flatMap((text) => this.#runsIn(page, text)));
  }

  #runsIn(page: PageTexts, text: Y.XmlText): readonly Run[] {
    const start = page.segmentOf(text)?.start;
    const runs: { from: number; to: number }[] = [];
    if (start === undefined) return runs;
    let at = start;
    for (let item = text._start; item !== null; item = item.right) {
      if (item.deleted || !item.countable) continue;
      const last = runs.at(-1);
      const to = at + item.length;
      if (!wasThere(item, this.#transaction)) {
        if (last?.to === at) last.to = to;
        else runs.push({ from: at, to });
      }
      at = to;
    }
    return runs;
  }
}

function* insertedItems({ afterState, beforeState, doc }: Y.Transaction): Generator<Y.Item> {
  for (const [client, end] of afterState) {
    const from = beforeState.get(client) ?? 0;
    const structs = from < end ? doc.store.clients.get(client) : undefined;
    if (structs === undefined) continue;
    for (let at = Y.findIndexSS(structs, from); at < structs.length; at++) {
      const struct = structs[at];
      if (struct instanceof Y.Item && struct.id.clock >= from) yield struct;
    }
  }
}

/** In the middle of a longer word they are others. */
function isOnlyPlace({ string }: PageTexts, quote: string, found: number): boolean {
  const isLetter = (at: number) => /[\p{Script=Latin}\p{N}]/u.test(string[at] ?? '');
  let isFound = false;
  for (let at = string.indexOf(quote); at >= 0; at = string.indexOf(quote, at + 1)) {
    if (isLetter(at - 1) && isLetter(at + quote.length)) continue;
    if (at !== found) return false;
    isFound = true;
  }
  return isFound;
}

const breaksIn = ({ segments }: PageTexts, from: number, to: number): number =>
  segments.filter(({ end }) => end >= from && end < to).length;
