// Finds every letter that a passage ever was: where it stands, where it stood before it was moved or deleted, and copies of it.
import * as Y from 'yjs';
import { bodyOf, titleOf } from '../names.ts';
import type { SharedType } from './item-history.ts';

/** Letters that stand one after the other in Yjs. */
export type LetterRange = readonly [client: number, clock: number, length: number];
type Range = LetterRange;
type Letters = { readonly text: string; readonly ranges: readonly Range[] };

/** Shorter ones are erased where they were chosen, and nowhere else: every page is full of them. */
const MIN_COPY = 4;

export type FoundPassage = {
  /** Half-open ranges of clocks, by client. */
  readonly letters: ReadonlyMap<number, readonly (readonly [from: number, to: number])[]>;
  /** Places with the same words beside those that were chosen. */
  readonly copies: number;
};

/** `doc` forgets nothing (`gc` off). `chosen` are letters in it. */
export function findPassage(doc: Y.Doc, chosen: readonly Range[]): FoundPassage {
  const found = new Map<number, [number, number][]>();
  const add = ([client, clock, length]: Range) => {
    const ranges = found.get(client) ?? [];
    ranges.push([clock, clock + length]);
    found.set(client, ranges);
  };
  for (const range of chosen) add(range);
  const words = wordsOf(doc, chosen);
  let copies = 0;
  if (words.length >= MIN_COPY) {
    for (const letters of allTexts(doc)) {
      for (let at = letters.text.indexOf(words); at >= 0; at = letters.text.indexOf(words, at + words.length)) {
        const place = cutOut(letters.ranges, at, words.length);
        if (place.every((range) => isWithin(found, range))) continue;
        copies += 1;
        for (const range of place) add(range);
      }
    }
  }
  return { letters: new Map(Array.from(found, ([client, ranges]) => [client, joined(ranges)])), copies };
}

function isWithin(found: ReadonlyMap<number, readonly (readonly [number, number])[]>, [client, clock, length]: Range) {
  const ranges = found.get(client) ?? [];
  for (let at = clock; at < clock + length; at++) if (!ranges.some(([from, to]) => from <= at && at < to)) return false;
  return true;
}

/** In order, and each letter once. */
function joined(ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const all: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** The chosen letters in the order of their text. */
function wordsOf(doc: Y.Doc, chosen: readonly Range[]): string {
  return chosen
    .map(([client, clock, length]) => {
      let text = '';
      const structs = doc.store.clients.get(client) ?? [];
      for (const struct of structs) {
        const [from, to] = [
          Math.max(clock, struct.id.clock),
          Math.min(clock + length, struct.id.clock + struct.length),
        ];
        if (from < to && struct instanceof Y.Item && struct.content instanceof Y.ContentString)
          text += struct.content.str.slice(from - struct.id.clock, to - struct.id.clock);
      }
      return text;
    })
    .join('');
}

/** Each text of the page twice: with all letters that ever stood in it, and with those of now. Deleted blocks too. */
function* allTexts(doc: Y.Doc): Generator<Letters> {
  const waiting: SharedType[] = [titleOf(doc), bodyOf(doc)];
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    const [all, now]: [Range[], Range[]] = [[], []];
    const [allText, nowText]: [string[], string[]] = [[], []];
    for (let item = type._start; item !== null; item = item.right) {
      const { content, id, length, deleted } = item;
      if (content instanceof Y.ContentType) waiting.push(content.type);
      if (!(content instanceof Y.ContentString)) continue;
      all.push([id.client, id.clock, length]);
      allText.push(content.str);
      if (deleted) continue;
      now.push([id.client, id.clock, length]);
      nowText.push(content.str);
    }
    if (all.length > 0) yield { text: allText.join(''), ranges: all };
    if (now.length > 0 && now.length < all.length) yield { text: nowText.join(''), ranges: now };
  }
}

function cutOut(ranges: readonly Range[], from: number, length: number): readonly Range[] {
  const found: Range[] = [];
  let at = 0;
  for (const [client, clock, size] of ranges) {
    const [start, end] = [Math.max(from, at), Math.min(from + length, at + size)];
    if (start < end) found.push([client, clock + start - at, end - start]);
    at += size;
    if (at >= from + length) break;
  }
  return found;
}
