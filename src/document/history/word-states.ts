// Finds words in a text as it was after any row. From one row to the next, only the surroundings of changes are searched.
import { WITHOUT_SPACES } from '../changes/words.ts';
import { type DeedIndex, NEVER } from './item-history.ts';
import type { LetterRange } from './letter-set.ts';

/** Letters that came and went together. */
export type LetterStretch = {
  readonly client: number;
  readonly clock: number;
  readonly text: string;
  /** The row that inserted it, and the one that deleted it (`NEVER` while it is there). */
  readonly born: DeedIndex;
  readonly died: DeedIndex;
};

type Piece = { readonly stretch: LetterStretch; readonly from: number; readonly at: number };
type Window = {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly hasBegin: boolean;
  readonly hasEnd: boolean;
};

/** Two units: the sign before or behind the words may be a surrogate pair. */
const AROUND = 2;

/**
 * The letters of each place that ever had one of the words, not as a part of longer ones. Only a place's last state counts:
 * typing “testing” makes “test” on the way. `stretches`: all letters that ever stood in the text, in its order.
 */
export function wordsInStates(
  words: readonly string[],
  stretches: readonly LetterStretch[],
): readonly (readonly LetterRange[])[] {
  const possible = words.filter((word) => isSubsequence(word, stretches));
  if (possible.length === 0) return [];
  const context = Math.max(...possible.map(({ length }) => length)) + AROUND;
  const places = new Map<string, { readonly letters: readonly LetterRange[]; isWhole: boolean }>();
  const alive = new AliveStretches(stretches.length);
  for (const changed of changesByRow(stretches)) {
    for (const { index, isBirth } of changed) alive.set(index, isBirth);
    for (const window of windowsAround(changed, stretches, alive, context)) {
      for (const word of possible) {
        for (const { letters, isWhole } of placesIn(window, word)) {
          const key = letters.join(' ');
          const known = places.get(key);
          if (known === undefined) places.set(key, { letters, isWhole });
          else known.isWhole = isWhole;
        }
      }
    }
  }
  return Array.from(places.values()).flatMap(({ letters, isWhole }) => (isWhole ? [letters] : []));
}

/** Whether the letters of a word come one after the other, whatever is between them. */
function isSubsequence(word: string, stretches: readonly LetterStretch[]): boolean {
  let at = 0;
  for (const { text } of stretches) {
    for (let place = text.indexOf(word.charAt(at)); place >= 0; place = text.indexOf(word.charAt(at), place + 1)) {
      at += 1;
      if (at === word.length) return true;
    }
  }
  return false;
}

type Changed = { readonly index: number; readonly isBirth: boolean };

/** The insertions and deletions of each row, in the order of the text. */
function changesByRow(stretches: readonly LetterStretch[]): readonly (readonly Changed[])[] {
  const byRow = new Map<DeedIndex, Changed[]>();
  const add = (row: DeedIndex, changed: Changed) => {
    const known = byRow.get(row);
    if (known === undefined) byRow.set(row, [changed]);
    else known.push(changed);
  };
  for (const [index, { born, died }] of stretches.entries()) {
    if (died <= born) continue;
    add(born, { index, isBirth: true });
    if (died !== NEVER) add(died, { index, isBirth: false });
  }
  return Array.from(byRow)
    .sort(([a], [b]) => a - b)
    .map(([, changed]) => changed);
}

function* windowsAround(
  changed: readonly Changed[],
  stretches: readonly LetterStretch[],
  alive: AliveStretches,
  context: number,
): Generator<Window> {
  let next = 0;
  for (let change = changed[next]; change !== undefined; change = changed[next]) {
    const { index: start } = change;
    const before: Omit<Piece, 'at'>[] = [];
    let index = alive.before(start);
    for (let wanted = context; index >= 0 && wanted > 0; index = alive.before(index)) {
      const stretch = stretches[index];
      if (stretch === undefined) break;
      const length = Math.min(stretch.text.length, wanted);
      before.push({ stretch, from: stretch.text.length - length });
      wanted -= length;
    }
    const hasBegin = index < 0 && (before.at(-1)?.from ?? 0) === 0;
    const pieces: Piece[] = [];
    let text = '';
    const add = (stretch: LetterStretch, from: number, to: number) => {
      pieces.push({ stretch, from, at: text.length });
      text += stretch.text.slice(from, to);
    };
    for (const { stretch, from } of before.toReversed()) add(stretch, from, stretch.text.length);
    let hasEnd = true;
    let unchanged = 0;
    for (index = alive.from(start); index >= 0; index = alive.from(index + 1)) {
      const stretch = stretches[index];
      if (stretch === undefined) break;
      let isChanged = false;
      for (let one = changed[next]; one !== undefined && one.index <= index; one = changed[next]) {
        isChanged = one.index === index;
        unchanged = 0;
        next += 1;
      }
      const { length } = stretch.text;
      const taken = isChanged ? length : Math.min(length, context - unchanged);
      if (taken > 0) add(stretch, 0, taken);
      unchanged = isChanged ? 0 : unchanged + taken;
      hasEnd = taken === length;
      if (!hasEnd) break;
    }
    // No changed stretch is left after these.
    if (index < 0) next = changed.length;
    yield { text, pieces, hasBegin, hasEnd };
  }
}

function* placesIn(
  { text, pieces, hasBegin, hasEnd }: Window,
  word: string,
): Generator<{ readonly letters: readonly LetterRange[]; readonly isWhole: boolean }> {
  let first = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // At the edges the neighbouring letters are unknown, and nothing changed there.
    if ((at < AROUND && !hasBegin) || (end > text.length - AROUND && !hasEnd)) continue;
    while ((pieces[first + 1]?.at ?? Infinity) <= at) first += 1;
    const letters: LetterRange[] = [];
    for (let index = first; (pieces[index]?.at ?? Infinity) < end; index++) {
      const piece = pieces[index];
      if (piece === undefined) break;
      const [from, to] = [Math.max(at, piece.at), Math.min(end, pieces[index + 1]?.at ?? text.length)];
      const { client, clock } = piece.stretch;
      if (from < to) letters.push([client, clock + piece.from + from - piece.at, to - from]);
    }
    const isWhole = isBetweenWords(text, at) && isBetweenWords(text, end);
    yield { letters, isWhole };
  }
}

/** Scripts without spaces are written as one word. */
const LETTER = String.raw`(?!${WITHOUT_SPACES.source})[\p{L}\p{N}\p{M}_]`;
const ENDS_IN_WORD = new RegExp(`${LETTER}$`, 'u');
const BEGINS_IN_WORD = new RegExp(`^${LETTER}`, 'u');

function isBetweenWords(text: string, at: number): boolean {
  return (
    !ENDS_IN_WORD.test(text.slice(Math.max(0, at - AROUND), at)) || !BEGINS_IN_WORD.test(text.slice(at, at + AROUND))
  );
}

/** Which stretches are there at a time; the next one is found in few steps although most are not. */
class AliveStretches {
  readonly #alive: Uint8Array;
  readonly #buckets: Int32Array;

  constructor(count: number) {
    this.#alive = new Uint8Array(count);
    this.#buckets = new Int32Array((count >> BUCKET_BITS) + 1);
  }

  set(index: number, isAlive: boolean): void {
    const value = isAlive ? 1 : 0;
    const bucket = index >> BUCKET_BITS;
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + value - (this.#alive[index] ?? 0);
    this.#alive[index] = value;
  }

  /** The first one at or behind the index; -1 if there is none. */
  from(index: number): number {
    for (let at = index; at < this.#alive.length;) {
      if (at % BUCKET === 0 && this.#buckets[at >> BUCKET_BITS] === 0) at += BUCKET;
      else if (this.#alive[at] === 1) return at;
      else at += 1;
    }
    return -1;
  }

  /** The last one before the index; -1 if there is none. */
  before(index: number): number {
    for (let at = index - 1; at >= 0;) {
      if (at % BUCKET === BUCKET - 1 && this.#buckets[at >> BUCKET_BITS] === 0) at -= BUCKET;
      else if (this.#alive[at] === 1) return at;
      else at -= 1;
    }
    return -1;
  }
}

const BUCKET_BITS = 6;
const BUCKET = 64;
