// Finds entries by a few characters of their names: the characters in order, best matches first. By fuzzysort, because it finds
// ten thousand titles within one frame (`bench/benchmarks/workspace.ts`) and says which characters matched.
import fuzzysort from 'fuzzysort';

/** A name, and which of its characters were searched for (UTF-16 indexes, ascending). */
export type NameMatch<T> = { readonly entry: T; readonly characters: readonly number[] };

export interface NameSearch<T> {
  /** At most `limit` entries, best first. None for an empty query. */
  readonly find: (query: string, limit: number) => readonly NameMatch<T>[];
}

/** Characters beyond this are not a search for a name, and would only cost time. */
const MAX_QUERY = 100;

/** This many times more are found than are wanted, because some are left out (`isMeant`). */
const SPARE = 4;
/** This many characters in a row are no accident inside a word. */
const MIN_RUN = 3;

/**
 * Characters scattered over several words are meant only if each word gives its beginning ("hm" for "Harbour master") or a
 * part: "boat" is in "Harbour master", too.
 */
function isMeant(name: string, characters: readonly number[]): boolean {
  const words = Array.from(name.matchAll(/[\p{L}\p{N}\p{M}]+/gu), ({ index, 0: word }) => {
    const inside = characters.filter((at) => at >= index && at < index + word.length);
    const [first = index] = inside;
    const isPart = inside.length >= MIN_RUN && inside.every((at, nth) => at === first + nth);
    return { isHit: inside.length > 0, isWhole: first === index || isPart };
  }).filter(({ isHit }) => isHit);
  return words.length <= 1 || words.every(({ isWhole }) => isWhole);
}

/** Prepares the names once: searching again while someone types is then fast. */
export function nameSearch<T>(entries: readonly T[], nameOf: (entry: T) => string): NameSearch<T> {
  const prepared = fuzzysort.snapshot(entries, { key: nameOf });
  return {
    find(query, limit) {
      const text = query.trim().slice(0, MAX_QUERY);
      if (text === '') return [];
      return fuzzysort
        .go(text, prepared, { limit: SPARE * limit, threshold: 0.2 })
        .map(({ obj, indexes }) => ({ entry: obj, characters: indexes.toSorted((a, b) => a - b) }))
        .filter(({ entry, characters }) => isMeant(nameOf(entry), characters))
        .slice(0, limit);
    },
  };
}

/**
 * The name in parts, alternating between characters that were not searched for and characters that were. A surrogate pair stays
 * whole, and is marked if both halves were searched for.
 */
export function markedParts(
  name: string,
  characters: readonly number[],
): readonly { text: string; isMatch: boolean }[] {
  const matched = new Set(characters);
  const parts: { text: string; isMatch: boolean }[] = [];
  let at = 0;
  for (const character of name) {
    const last = parts.at(-1);
    const isMatch = matched.has(at) && matched.has(at + character.length - 1);
    at += character.length;
    if (last?.isMatch === isMatch) last.text += character;
    else parts.push({ text: character, isMatch });
  }
  return parts;
}
