// Follows the words of one comment through every transaction. If all of them go, it remembers them as they were last, and finds
// them again in what is inserted by the same transaction or a later one: a move, a paste, undo or a restored version.
import * as Y from 'yjs';
import type { TextAnchor } from '../../protocol/comments.ts';
import { deletedPartAround, hasChangedParts, keyOfPart } from '../recovered-text/deleted-part.ts';
import { findMovedText } from '../recovered-text/relocated-text.ts';
import { type PageMoment, foundAt, nearOf, wordsBetween } from './find-anchor.ts';
import { type Words, findWords } from './find-words.ts';
import type { FoundAnchor } from './found-anchor.ts';
import { anchorOf } from './make-anchor.ts';
import type { PageChange } from './page-change.ts';
import { BREAK, type Passage } from './page-texts.ts';
import { decodePosition, endAt, isKnown, startAt, textPlaceOf } from './positions.ts';
import { type WordsBefore, type WordsLeft, wordsBefore } from './words-before.ts';

type Here = Pick<Passage, 'texts'> & { readonly from: Y.RelativePosition; readonly to: Y.RelativePosition };
/** `part`: the block, row or cell that was deleted with the words. It may come back under the same id. */
type Lost = Words & { readonly part: (Parameters<typeof findMovedText>[0] & { readonly index: number }) | null };

export class TrackedWords {
  #anchor: TextAnchor;
  #here: Here | null = null;
  #lost: Lost | null = null;
  #isElsewhere = false;

  constructor(anchor: TextAnchor) {
    this.#anchor = anchor;
  }

  /** The server has the anchor that names the words where they are by now. */
  settle(anchor: TextAnchor): void {
    this.#anchor = anchor;
    this.#isElsewhere = false;
  }

  /** Whether the place of the words must be read again after this transaction. */
  isTouchedBy(change: PageChange): boolean {
    if (this.#here === null) return change.inserted.length > 0;
    const { texts } = this.#here;
    return change.deletedIn(texts) || (texts.length > 1 && hasChangedParts(change.transaction));
  }

  /** The anchor of words that it put elsewhere. Null: they are where they were, or gone. */
  follow(change: PageChange): TextAnchor | null {
    if (this.#here === null) return this.#return(change);
    const { texts, from, to } = this.#here;
    const was = wordsBefore(texts, from, to, change.transaction);
    if (was === null || was.words === '') return null;
    if (was.left !== null) return this.#move(change, wholeAgain(change, texts, was.left, this.#anchor));
    this.#here = null;
    this.#lost = lostOf(was, texts, this.#anchor.block, change.transaction);
    return this.#return(change);
  }

  /** Where the words are now, and their new anchor if the stored one does not find them. */
  locate(page: PageMoment): { readonly found: FoundAnchor; readonly moved: TextAnchor | null } {
    const [from, to] = [
      this.#here?.from ?? decodePosition(this.#anchor.from),
      this.#here?.to ?? decodePosition(this.#anchor.to),
    ];
    const ends = wordsBetween(page, from, to);
    const same = ends === null || this.#lost !== null ? findWords(page.text(), this.#lost ?? this.#anchor) : null;
    if (same !== null) {
      // Characters that have not arrived are better than those that say the same.
      const moved = this.#hasArrived(page.doc) ? this.#moveTo(page, same) : null;
      return { found: foundAt(same, true), moved };
    }
    this.#here = ends === null ? null : { texts: ends.texts, from: startAt(ends.from), to: endAt(ends.to) };
    if (ends === null) return { found: { at: 'gone', near: nearOf(page, this.#anchor) }, moved: null };
    this.#lost = null;
    return { found: foundAt(ends, this.#isElsewhere), moved: null };
  }

  #hasArrived(doc: Y.Doc): boolean {
    const ends = [this.#anchor.from, this.#anchor.to].map(decodePosition);
    return ends.every((end) => end === null || isKnown(doc, end));
  }

  #return(change: PageChange): TextAnchor | null {
    const { inserted, moment } = change;
    const lost: Lost = this.#lost ?? { ...this.#anchor, part: null };
    if (inserted.length === 0 || lost.quote === '') return null;
    if (this.#lost === null && !this.#isGone(moment)) return null;
    return this.#move(change, comeBack(moment, lost) ?? inserted.find(moment.text(), lost));
  }

  /** False if it names characters that are there, or that have not arrived. */
  #isGone(page: PageMoment): boolean {
    if (!this.#hasArrived(page.doc)) return false;
    return wordsBetween(page, decodePosition(this.#anchor.from), decodePosition(this.#anchor.to)) === null;
  }

  #move({ moment }: PageChange, passage: Passage | null): TextAnchor | null {
    return passage === null ? null : this.#moveTo(moment, passage);
  }

  #moveTo(page: PageMoment, passage: Passage): TextAnchor {
    this.#here = { texts: passage.texts, from: startAt(passage.from), to: endAt(passage.to) };
    this.#lost = null;
    this.#isElsewhere = true;
    return anchorOf(page.text(), passage);
  }
}

function lostOf(was: WordsBefore, texts: readonly Y.XmlText[], block: string | null, transaction: Y.Transaction): Lost {
  const { words: quote, before, after, text: seen, index } = was;
  const [text] = texts;
  const isWhole = texts.length === 1 && text?._item?.deleted === true;
  const deleted = isWhole ? deletedPartAround(text, transaction) : null;
  const part = deleted === null ? null : { ...deleted, key: keyOfPart(deleted.part), seen, index };
  return { quote, before, after, block, part };
}

/** In the copy of a part that was moved, or that undo or a restored version brought back. */
function comeBack({ doc, text }: PageMoment, { part, quote }: Lost): Passage | null {
  const moved = part === null ? null : findMovedText(part, doc);
  if (part === null || moved === null) return null;
  const page = text();
  const start = page.offsetOf({ text: moved.text, index: part.index });
  if (start === null || !page.string.startsWith(quote, start)) return null;
  return page.passage(start, start + quote.length);
}

/**
 * Splitting or joining blocks, or restoring a text, deletes some of the words and inserts them again beside the others. Null: all
 * that is left is where it was.
 */
function wholeAgain(
  { inserted, moment }: PageChange,
  texts: readonly Y.XmlText[],
  left: WordsLeft,
  stored: Words,
): Passage | null {
  const isCut = texts.some((text) => text._item?.deleted !== false);
  if ((left.head === '' && left.tail === '') || (inserted.length === 0 && !isCut)) return null;
  const from = textPlaceOf(moment.doc, new Y.RelativePosition(null, null, left.first, 0));
  const to = textPlaceOf(moment.doc, new Y.RelativePosition(null, null, left.last, -1));
  const page = moment.text();
  const [start, end] = [from && page.offsetOf(from), to && page.offsetOf(to)];
  if (start === null || end === null) return null;
  const tail = withBreak(left.tail, (one) => BREAK + one, /^\n/).find(
    (one) => page.string.startsWith(one, end) && inserted.areNew(page, end, end + one.length),
  );
  const head = withBreak(left.head, (one) => one + BREAK, /\n$/).find(
    (one) => page.string.slice(0, start).endsWith(one) && inserted.areNew(page, start - one.length, start),
  );
  if (tail === undefined && head === undefined) {
    const restored = inserted.length === 0 ? null : inserted.findAround(page, stored, start, end);
    if (restored !== null || !isCut) return restored;
  }
  return page.passage(start - (head?.length ?? 0), end + (tail?.length ?? 0));
}

/** The same words in the same text, in one beside it, and in one with it. */
const withBreak = (words: string, add: (words: string) => string, broken: RegExp): readonly string[] =>
  words === '' ? [] : [words, add(words), words.replace(broken, '')].filter((one) => one !== '');
