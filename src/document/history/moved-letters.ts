// Finds letters again in the insertions of rows: those that the same row deleted, among others, because an hour of work without
// a network is moves, splits and typing in one row; and large parts of some words, which somebody pasted.
import { NEVER, type DeedIndex } from './item-history.ts';
import type { LetterSet } from './letter-set.ts';
import type { LetterStretch } from './word-states.ts';

/**
 * Fewer equal letters are so by chance. Long texts share more with others: where many letters were moved at once, a quarter of them
 * must be equal, up to twenty.
 */
const MIN_MOVED = 6;
const MAX_MOVED = 20;
/** Shorter parts of a text are in others by chance, or less than half of it. */
const MIN_PASTED = 12;
/** Parts of longer texts are not looked for by themselves: there are too many of them. */
const MAX_PASTED_FROM = 2000;

/** The letters that a row inserted into a text, or deleted from it, in its order. */
type Letters = { readonly text: string; readonly stretches: readonly LetterStretch[] };
type RowLetters = { readonly born: readonly Letters[]; readonly died: readonly Letters[] };

export class MovedLetters {
  /** In order. */
  readonly #rows: readonly RowLetters[];

  /** `texts`: all that ever stood in each text, in its order. */
  constructor(texts: readonly (readonly LetterStretch[])[]) {
    const rows = new Map<DeedIndex, { born: LetterStretch[][]; died: LetterStretch[][] }>();
    const rowOf = (row: DeedIndex) => {
      const known = rows.get(row) ?? { born: [], died: [] };
      rows.set(row, known);
      return known;
    };
    for (const stretches of texts) {
      const [born, died] = [new Map<DeedIndex, LetterStretch[]>(), new Map<DeedIndex, LetterStretch[]>()];
      for (const stretch of stretches) {
        if (stretch.died <= stretch.born) continue;
        push(born, stretch.born, stretch);
        if (stretch.died !== NEVER) push(died, stretch.died, stretch);
      }
      for (const [row, list] of born) rowOf(row).born.push(list);
      for (const [row, list] of died) rowOf(row).died.push(list);
    }
    this.#rows = Array.from(rows)
      .sort(([a], [b]) => a - b)
      .map(([, { born, died }]) => ({ born: born.map(lettersOf), died: died.map(lettersOf) }));
  }

  /** Adds the letters from before a row moved them, and the letters that they became. */
  follow(letters: LetterSet): void {
    const both = this.#rows.filter(({ born, died }) => born.length > 0 && died.length > 0);
    for (const { born, died } of both.toReversed()) followOne(born, died, letters);
    for (const { born, died } of both) followOne(died, born, letters);
  }

  /** Adds parts of some words that a row inserted as one: twelve letters, and at least half of the words. */
  addPasted(words: readonly string[], letters: LetterSet): void {
    for (const word of words) {
      if (word.length < MIN_PASTED || word.length > MAX_PASTED_FROM) continue;
      const parts = partsOf([word], Math.max(MIN_PASTED, Math.ceil(word.length / 2)));
      for (const { born } of this.#rows) addEqual(born, parts, letters);
    }
  }
}

function push(map: Map<DeedIndex, LetterStretch[]>, row: DeedIndex, stretch: LetterStretch): void {
  const list = map.get(row);
  if (list === undefined) map.set(row, [stretch]);
  else list.push(stretch);
}

const lettersOf = (stretches: readonly LetterStretch[]): Letters => ({
  text: stretches.map(({ text }) => text).join(''),
  stretches,
});

type Parts = { readonly length: number; readonly texts: ReadonlySet<string>; readonly begins: ReadonlySet<string> };

/** All parts of some texts that have this length. */
function partsOf(texts: readonly string[], length: number): Parts {
  const parts = new Set<string>();
  for (const text of texts) for (let at = 0; at + length <= text.length; at++) parts.add(text.slice(at, at + length));
  return { length, texts: parts, begins: new Set(Array.from(parts, (part) => part.slice(0, MIN_MOVED))) };
}

/** Adds every part that is in one of these. */
function addEqual(to: readonly Letters[], { length, texts, begins }: Parts, letters: LetterSet): void {
  if (texts.size === 0) return;
  for (const { text, stretches } of to) {
    const isFound = new Uint8Array(text.length);
    for (let at = 0; at + length <= text.length; at++)
      if (begins.has(text.slice(at, at + MIN_MOVED)) && texts.has(text.slice(at, at + length)))
        isFound.fill(1, at, at + length);
    let begin = 0;
    for (const { client, clock, text: part } of stretches) {
      for (let at = 0; at < part.length; at++) if (isFound[begin + at] === 1) letters.add(client, clock + at, 1);
      begin += part.length;
    }
  }
}

function followOne(from: readonly Letters[], to: readonly Letters[], letters: LetterSet): void {
  const byLength = Map.groupBy(
    from.flatMap((one) => runsIn(one, letters)),
    ({ length }) => Math.max(MIN_MOVED, Math.min(MAX_MOVED, Math.ceil(length / 4))),
  );
  for (const [length, runs] of byLength) addEqual(to, partsOf(runs, length), letters);
}

/** The texts of letters of the set that follow each other. */
function runsIn({ stretches }: Letters, letters: LetterSet): readonly string[] {
  const runs: string[] = [];
  let run = '';
  for (const { client, clock, text } of stretches) {
    let end = 0;
    for (const [from, to] of letters.within(client, clock, text.length)) {
      if (from - clock > end) {
        runs.push(run);
        run = '';
      }
      run += text.slice(from - clock, to - clock);
      end = to - clock;
    }
    if (end === text.length) continue;
    runs.push(run);
    run = '';
  }
  runs.push(run);
  return runs.filter(({ length }) => length >= MIN_MOVED);
}
