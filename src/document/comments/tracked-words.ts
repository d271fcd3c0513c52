// Follows the words of one comment through every transaction. If all of them go, it remembers them as they were last, and finds
// them again in what is inserted by the same transaction or a later one: a move, a paste, undo or a restored version.
import * as Y from 'yjs';
import type { TextAnchor } from '../../protocol/comments.ts';
import { deletedPartAround, hasChangedParts, keyOfPart } from '../recovered-text/deleted-part.ts';
import { findMovedText } from '../recovered-text/relocated-text.ts';
import { type PageMoment, foundAt, nearOf, wordsBetween } from './find-anchor.ts';
import { type Words, findWords } from './find-words.ts';
import type { FoundAnchor } from './found-anchor.ts';
import type { WhenLost } from './inserted-text.ts';
import { anchorOf } from './make-anchor.ts';
import { BREAK, type Passage } from './page-texts.ts';
import { decodePosition, endAt, isKnown, startAt, textPlaceOf } from './positions.ts';
import type { TrackedChange } from './tracked-change.ts';
import { type WordsBefore, type WordsLeft, wordsBefore } from './words-before.ts';

type Here = Pick<Passage, 'texts'> & { readonly from: Y.RelativePosition; readonly to: Y.RelativePosition };
/** `part`: the block, row or cell that was deleted with the words. It may come back under the same id. */
type Lost = Words & { readonly part: (Parameters<typeof findMovedText>[0] & { readonly index: number }) | null };

export class TrackedWords {
  #anchor: TextAnchor;
  #here: Here | null = null;
  #lost: Lost | null = null;
  #isElsewhere = false;
  /** The words as the thread began with them, and whether some of them went since. */
  readonly #whole: Words;
  #isPartial = false;
  /** This device made all words go, and has inserted nothing since. */
  #isJustCut = false;
  /** Characters that were inserted since words that are gone were looked for. */
  #unread = 0;
  /** When `locate` looked last, characters that the anchor names had not arrived. */
  #isAwaited = false;

  constructor(anchor: TextAnchor) {
    this.#anchor = anchor;
    this.#whole = anchor;
  }

  /** The server has the anchor that names the words where they are by now. */
  settle(anchor: TextAnchor): void {
    this.#anchor = anchor;
    this.#isElsewhere = false;
  }

  /** Whether the place of the words must be read again after this transaction. */
  isTouchedBy(change: TrackedChange): boolean {
    // Characters may arrive that are deleted by then.
    if (this.#here === null) return this.#isAwaited || change.inserted.length > 0;
    const { texts } = this.#here;
    if (change.deletedIn(texts) || (this.#isPartial && change.inserted.isIn(texts))) return true;
    return texts.length > 1 && hasChangedParts(change.transaction);
  }

  /** Looking for words that are gone reads the whole page: not before they can be there. */
  get isDue(): boolean {
    const { quote } = this.#lost ?? this.#anchor;
    return this.#here !== null || this.#isAwaited || this.#unread >= quote.length;
  }

  /** The anchor of words that it put elsewhere. Null: they are where they were, or gone. */
  follow(change: TrackedChange): TextAnchor | null {
    const isLocal = change.transaction.local;
    if (this.#here === null) {
      this.#unread += change.inserted.length;
      const when = this.#isJustCut && isLocal ? 'just cut' : 'before';
      if (isLocal && change.inserted.length > 0) this.#isJustCut = false;
      return this.#return(change, when);
    }
    const { texts, from, to } = this.#here;
    const was = wordsBefore(texts, from, to, change.transaction);
    if (was === null || was.words === '') return null;
    if (was.left !== null) return this.#keep(change, was, was.left);
    this.#here = null;
    this.#unread = Infinity;
    this.#isJustCut = isLocal;
    this.#lost = lostOf(was, texts, this.#anchor.block, change.transaction);
    return this.#return(change, 'now');
  }

  /** Where the words are now, and their new anchor if the stored one does not find them. */
  locate(page: PageMoment): { readonly found: FoundAnchor; readonly moved: TextAnchor | null } {
    this.#unread = 0;
    const [from, to] = [
      this.#here?.from ?? decodePosition(this.#anchor.from),
      this.#here?.to ?? decodePosition(this.#anchor.to),
    ];
    // What stands in the place of words that were seen to go is something else.
    const ends = this.#lost === null ? wordsBetween(page, from, to) : null;
    this.#isAwaited = ends === null && !this.#hasArrived(page.doc);
    const same = ends === null ? findWords(page.text(), this.#lost ?? this.#anchor) : null;
    if (same !== null) {
      // The words' own characters may still arrive. They are better than others that say the same.
      const moved = this.#isAwaited ? null : this.#moveTo(page, same);
      return { found: foundAt(same, true), moved };
    }
    if (ends === null || from === null || to === null) {
      this.#here = null;
      return { found: { at: 'gone', near: nearOf(page, this.#anchor) }, moved: null };
    }
    // The place of a deleted character at an end stays the end: undo may bring the character back.
    const isIn = (end: Y.RelativePosition, text: Y.XmlText | undefined) => textPlaceOf(page.doc, end)?.text === text;
    this.#here = {
      texts: ends.texts,
      from: isIn(from, ends.texts[0]) ? from : startAt(ends.from),
      to: isIn(to, ends.texts.at(-1)) ? to : endAt(ends.to),
    };
    return { found: foundAt(ends, this.#isElsewhere), moved: null };
  }

  #hasArrived(doc: Y.Doc): boolean {
    const ends = [this.#anchor.from, this.#anchor.to].map(decodePosition);
    return ends.every((end) => end === null || isKnown(doc, end));
  }

  /** Some of the words are where they were. */
  #keep(change: TrackedChange, { words }: WordsBefore, left: WordsLeft): TextAnchor | null {
    const { texts } = this.#here ?? { texts: [] };
    if (left.head === '' && left.tail === '') {
      const isEnough = this.#isPartial && words.length + change.inserted.length >= this.#whole.quote.length;
      return isEnough ? this.#move(change, this.#wholeAround(change, passageLeft(change.moment, left))) : null;
    }
    this.#isPartial = true;
    const isCut = texts.some((text) => text._item?.deleted !== false);
    if (change.inserted.length === 0 && !isCut) return null;
    const passage = passageLeft(change.moment, left);
    const again = passage && (insertedBeside(change, passage, left) ?? this.#wholeAround(change, passage));
    return this.#move(change, again ?? (isCut ? passage : null));
  }

  #return(change: TrackedChange, when: WhenLost): TextAnchor | null {
    const { inserted, moment } = change;
    const lost: Lost = this.#lost ?? { ...this.#anchor, part: null };
    if (inserted.length === 0 || lost.quote === '') return null;
    if (this.#lost === null && !this.#isGone(moment)) return null;
    const same = inserted.find(moment, lost, when);
    const passage = hasChangedParts(change.transaction) ? comeBack(moment, lost, same) : same;
    return this.#move(change, this.#wholeAround(change, passage) ?? passage);
  }

  /** The words as the thread began with them, around a part of them. */
  #wholeAround({ inserted, moment }: TrackedChange, passage: Passage | null): Passage | null {
    if (passage === null || inserted.length === 0) return null;
    const whole = inserted.findAround(moment.text(), this.#whole, passage.start, passage.end);
    if (whole !== null) this.#isPartial = false;
    return whole;
  }

  /** Whether the characters that the anchor names have arrived, and none is left. */
  #isGone(page: PageMoment): boolean {
    if (!this.#hasArrived(page.doc)) return false;
    return wordsBetween(page, decodePosition(this.#anchor.from), decodePosition(this.#anchor.to)) === null;
  }

  #move({ moment }: TrackedChange, passage: Passage | null): TextAnchor | null {
    return passage === null ? null : this.#moveTo(moment, passage);
  }

  #moveTo(page: PageMoment, passage: Passage): TextAnchor {
    this.#here = { texts: passage.texts, from: startAt(passage.from), to: endAt(passage.to) };
    this.#lost = null;
    this.#isElsewhere = true;
    this.#anchor = anchorOf(page.text(), passage);
    return this.#anchor;
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

/**
 * A part that was moved, or that undo or a restored version brought back, has the words where they were. If its text is
 * another one by now, only words that were inserted into it count, not those of another block.
 */
function comeBack({ doc, text }: PageMoment, { part, quote }: Lost, inserted: Passage | null): Passage | null {
  const copy = part === null ? null : findMovedText(part, doc);
  if (part === null || copy === null) return inserted;
  if (copy.content !== part.seen) return inserted?.texts[0] === copy.text ? inserted : null;
  const start = text().offsetOf({ text: copy.text, index: part.index }) ?? 0;
  return text().passage(start, start + quote.length);
}

function passageLeft({ doc, text }: PageMoment, { first, last }: WordsLeft): Passage | null {
  const from = textPlaceOf(doc, new Y.RelativePosition(null, null, first, 0));
  const to = textPlaceOf(doc, new Y.RelativePosition(null, null, last, -1));
  const [start, end] = [from && text().offsetOf(from), to && text().offsetOf(to)];
  return start === null || end === null ? null : text().passage(start, end);
}

/**
 * Splitting or joining blocks deletes some of the words and inserts them again beside the others. Null: all that is left is where
 * it was.
 */
function insertedBeside({ inserted, moment }: TrackedChange, { start, end }: Passage, left: WordsLeft): Passage | null {
  const page = moment.text();
  const tail = withBreak(left.tail, (one) => BREAK + one, /^\n/).find(
    (one) => page.string.startsWith(one, end) && inserted.areNew(page, end, end + one.length),
  );
  const head = withBreak(left.head, (one) => one + BREAK, /\n$/).find(
    (one) => page.string.slice(0, start).endsWith(one) && inserted.areNew(page, start - one.length, start),
  );
  if (tail === undefined && head === undefined) return null;
  return page.passage(start - (head?.length ?? 0), end + (tail?.length ?? 0));
}

/** The same words in the same text, in one beside it, and in one with it. */
const withBreak = (words: string, add: (words: string) => string, broken: RegExp): readonly string[] =>
  words === '' ? [] : [words, add(words), words.replace(broken, '')].filter((one) => one !== '');
