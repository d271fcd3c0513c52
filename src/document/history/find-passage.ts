// Finds every letter of a passage: where it stands, where it stood before it was moved, and other places that say or said the same.
import * as Y from 'yjs';
import { bodyOf, titleOf } from '../names.ts';
import { cleanTitle } from '../title.ts';
import { NEVER, type SharedType, type Stretch } from './item-history.ts';
import { type LetterRange, type LetterRanges, LetterSet } from './letter-set.ts';
import { MovedLetters } from './moved-letters.ts';
import type { PageRecord } from './page-record.ts';
import { type LetterStretch, wordsInStates } from './word-states.ts';

/** Shorter passages are erased only where they were chosen: every page is full of them. */
const MIN_COPY = 4;
/** In a selection over several blocks, the search for copies leaves out parts shorter than this. */
const MIN_PART = 12;

/** The search leaves out passages of lines and stars, also those of an earlier erasure. */
const HAS_LETTER = /[\p{L}\p{N}]/u;

export type FoundPassage = {
  /** The chosen letters, and their originals from before they were moved. */
  readonly letters: LetterRanges;
  /** The same, with other places that have the same words, and the originals of these. */
  readonly withCopies: LetterRanges;
  /** How many of the other places are on the page now. */
  readonly copies: number;
  /** The words of the search. */
  readonly words: readonly string[];
};

/** `chosen` are letters of the page, `known` the words that they had before they were erased. */
export function findPassage(
  record: PageRecord<unknown>,
  chosen: readonly LetterRange[],
  known: readonly string[] = [],
): FoundPassage {
  const texts = Array.from(allTexts(record));
  const moved = new MovedLetters(texts);
  const complete = (letters: LetterSet, movesAlone: boolean) => {
    for (let size = -1; size < letters.size;) {
      ({ size } = letters);
      record.links.follow(letters, movesAlone);
      moved.follow(letters);
    }
  };
  const own = new LetterSet();
  for (const range of chosen) own.add(...range);
  complete(own, true);
  const words = Array.from(new Set([...known, ...wordsOf(record.doc, chosen)]));
  const all = LetterSet.of(own.ranges);
  for (const text of texts)
    for (const place of wordsInStates(words, text)) for (const range of place) all.add(...range);
  moved.addPasted(words, all);
  complete(all, false);
  const copies = texts.reduce((sum, text) => sum + placesOnPage(text, all, own), 0);
  return { letters: own.ranges, withCopies: all.ranges, copies, words };
}

/** The chosen words of each text. */
function wordsOf(doc: Y.Doc, chosen: readonly LetterRange[]): readonly string[] {
  const parts: { readonly parent: unknown; text: string }[] = [];
  for (const [client, clock, length] of chosen) {
    const structs = doc.store.clients.get(client) ?? [];
    for (let at = structs.length === 0 ? 0 : Y.findIndexSS(structs, clock); at < structs.length; at++) {
      const struct = structs[at];
      if (struct === undefined || struct.id.clock >= clock + length) break;
      if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString)) continue;
      const [from, to] = [Math.max(clock, struct.id.clock), Math.min(clock + length, struct.id.clock + struct.length)];
      const text = struct.content.str.slice(from - struct.id.clock, to - struct.id.clock);
      const last = parts.at(-1);
      if (last !== undefined && last.parent === struct.parent) last.text += text;
      else parts.push({ parent: struct.parent, text });
    }
  }
  const least = parts.length === 1 ? MIN_COPY : MIN_PART;
  return parts.map(({ text }) => text.trim()).filter((text) => text.length >= least && HAS_LETTER.test(text));
}

/** All letters that ever stood in each text of the page, those of deleted blocks too, with the rows that changed them. */
function* allTexts({ doc, items, rowOf }: PageRecord<unknown>): Generator<readonly LetterStretch[]> {
  const waiting: SharedType[] = [titleOf(doc), bodyOf(doc)];
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    const letters: LetterStretch[] = [];
    for (const stretch of items.of(type).stretches) {
      if (stretch.content.type === 'node') waiting.push(stretch.content.node);
      const { client, clock, born, died } = stretch;
      const text = textOf(stretch);
      if (text !== '')
        letters.push({ client, clock, text, born: rowOf(born), died: died === NEVER ? NEVER : rowOf(died) });
    }
    if (letters.length > 0) yield letters;
  }
}

const textOf = ({ content }: Stretch): string => (content.type === 'text' ? content.text : '');

/** The number of places in the present text where letters of `all`, but not of `own`, stand together. */
function placesOnPage(text: readonly LetterStretch[], all: LetterSet, own: LetterSet): number {
  let places = 0;
  let isInPlace = false;
  for (const { client, clock, text: letters, died } of text) {
    if (died !== NEVER) continue;
    let end = clock;
    const see = (from: number, to: number) => {
      if (from === to) return;
      if (!isInPlace || from > end) places += 1;
      isInPlace = true;
      end = to;
    };
    for (const [from, to] of all.within(client, clock, letters.length)) {
      let at = from;
      for (const [ownFrom, ownTo] of own.within(client, from, to - from)) {
        see(at, ownFrom);
        isInPlace = false;
        at = ownTo;
      }
      see(at, to);
    }
    if (end < clock + letters.length) isInPlace = false;
  }
  return places;
}

/** The title of the page without these letters. */
export function titleWithout(doc: Y.Doc, letters: LetterRanges): string {
  const erased = LetterSet.of(letters);
  let title = '';
  for (let item = titleOf(doc)._start; item !== null; item = item.right) {
    const { id, content, length, deleted } = item;
    if (deleted || !(content instanceof Y.ContentString)) continue;
    let at = 0;
    for (const [from, to] of erased.within(id.client, id.clock, length)) {
      title += content.str.slice(at, from - id.clock) + '*'.repeat(to - from);
      at = to - id.clock;
    }
    title += content.str.slice(at);
  }
  return cleanTitle(title);
}
