// For a manager who erases words for good, from the page and its history: the page without them, and the other places on it that
// say the same.
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { firstIndex } from '../../lib/lists/first-index.ts';
import { bodyOf, titleOf } from '../names.ts';
import { cleanTitle, readTitle } from '../title.ts';
import { type CharacterRange, CharacterIds } from './character-ids.ts';

/** Shorter passages are erased only where they were chosen: every page is full of them. */
const MIN_COPY = 4;
/** In a selection over several texts, the search for copies leaves out parts shorter than this. */
const MIN_PART = 12;
/** The whole page is searched for each part. */
const MAX_PARTS = 50;
const HAS_LETTER = /[\p{L}\p{N}]/u;

type Copies = {
  readonly places: number;
  readonly characters: readonly CharacterRange[];
};

/** The other places on the page with the words of the chosen characters. Null: they are too short, or too many, for a search. */
export function copiesOf(doc: Y.Doc, chosen: readonly CharacterRange[]): Copies | null {
  const own = CharacterIds.of(chosen);
  const texts = Array.from(textsOf(doc), (runs) => textOf(runs, own));
  const parts = texts.flatMap(({ text, chosen: ranges }) => ranges.map(([from, to]) => text.slice(from, to).trim()));
  const least = parts.length === 1 ? MIN_COPY : MIN_PART;
  const words = new Set(parts.filter((part) => part.length >= least && HAS_LETTER.test(part)));
  if (words.size === 0 || words.size > MAX_PARTS) return null;
  let places = 0;
  const characters: CharacterRange[] = [];
  for (const { text, runs, chosen: taken } of texts)
    for (const part of words)
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
        const end = at + part.length;
        const next = taken[firstIndex(taken.length, (index) => (taken[index]?.[1] ?? 0) > at)];
        if (next !== undefined && next[0] < end) continue;
        places += 1;
        for (let index = firstIndex(runs.length, (one) => endOf(runs[one]) > at); index < runs.length; index++) {
          const run = runs[index];
          if (run === undefined || run.start >= end) break;
          const [from, to] = [Math.max(at, run.start), Math.min(end, endOf(run))];
          characters.push([run.client, run.clock + from - run.start, to - from]);
        }
      }
  return { places, characters };
}

const endOf = (run: PlacedRun | undefined): number => (run === undefined ? 0 : run.start + run.length);

/**
 * Deletes the characters from `doc`, a copy of the page that collects garbage. The update has none of them, and no deleted text.
 */
export function erasedPage(
  doc: Y.Doc,
  characters: readonly CharacterRange[],
): { readonly update: Bytes; readonly title: string } {
  deleteCharacters(doc, characters);
  return { update: new Uint8Array(Y.encodeStateAsUpdate(doc)), title: cleanTitle(readTitle(doc)) };
}

function deleteCharacters(doc: Y.Doc, characters: readonly CharacterRange[]): void {
  const deletes = Y.createDeleteSet();
  for (const [client, ranges] of CharacterIds.of(characters).ranges)
    deletes.clients.set(
      client,
      ranges.map(([from, to]) => ({ clock: from, len: to - from })),
    );
  doc.transact((transaction) =>
    Y.iterateDeletedStructs(transaction, deletes, (struct) => {
      if (struct instanceof Y.Item) struct.delete(transaction);
    }),
  );
}

type Run = { readonly client: number; readonly clock: number; readonly text: string };
type PlacedRun = { readonly start: number; readonly client: number; readonly clock: number; readonly length: number };

/** The characters of each text on the page: of the title, and of each element that has text. */
function* textsOf(doc: Y.Doc): Generator<readonly Run[]> {
  yield runsOf(titleOf(doc));
  const waiting: (Y.XmlFragment | Y.XmlElement)[] = [bodyOf(doc)];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    const runs: Run[] = [];
    for (const child of parent.toArray()) {
      if (child instanceof Y.XmlElement) waiting.push(child);
      else if (child instanceof Y.XmlText) runs.push(...runsOf(child));
    }
    if (runs.length > 0) yield runs;
  }
}

function runsOf(text: Y.Text): readonly Run[] {
  const runs: Run[] = [];
  for (let item = text._start; item !== null; item = item.right) {
    const { content, deleted, id } = item;
    if (!deleted && content instanceof Y.ContentString)
      runs.push({ client: id.client, clock: id.clock, text: content.str });
  }
  return runs;
}

/** `chosen`: the ranges of the text that are in the set, joined where they touch. */
function textOf(found: readonly Run[], set: CharacterIds) {
  const runs: PlacedRun[] = [];
  const chosen: [from: number, to: number][] = [];
  let text = '';
  for (const run of found) {
    const start = text.length;
    const { client, clock, text: characters } = run;
    runs.push({ start, client, clock, length: characters.length });
    text += characters;
    for (const [first, end] of set.within(client, clock, characters.length)) {
      const [from, to] = [start + first - clock, start + end - clock];
      const last = chosen.at(-1);
      if (last?.[1] === from) last[1] = to;
      else chosen.push([from, to]);
    }
  }
  return { text, runs, chosen };
}
