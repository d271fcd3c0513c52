// Finds entries by a few letters of their names: the letters in order, best matches first. By fuzzysort, because it finds
// ten thousand titles within one frame (bench/workspace) and says which letters matched.
import fuzzysort from 'fuzzysort';

/** A name, and which of its letters were searched for (UTF-16 indexes, ascending). */
export type Match<T> = { readonly entry: T; readonly letters: readonly number[] };

export interface NameSearch<T> {
  /** At most `limit` entries, best first. None for an empty query. */
  readonly find: (query: string, limit: number) => readonly Match<T>[];
}

/** Letters beyond this are not a search for a name, and would only cost time. */
const MAX_QUERY = 100;

/** Prepares the names once: searching again while somebody types is then fast. */
export function nameSearch<T>(entries: readonly T[], nameOf: (entry: T) => string): NameSearch<T> {
  const prepared = fuzzysort.snapshot(entries, { key: nameOf });
  return {
    find(query, limit) {
      const text = query.trim().slice(0, MAX_QUERY);
      if (text === '') return [];
      return fuzzysort
        .go(text, prepared, { limit, threshold: 0.2 })
        .map(({ obj, indexes }) => ({ entry: obj, letters: indexes.toSorted((a, b) => a - b) }));
    },
  };
}

/** The name in parts, alternating between letters that were not searched for and letters that were. */
export function markedParts(name: string, letters: readonly number[]): readonly { text: string; isMatch: boolean }[] {
  const matched = new Set(letters);
  const parts: { text: string; isMatch: boolean }[] = [];
  for (let at = 0; at < name.length; at++) {
    const last = parts.at(-1);
    const isMatch = matched.has(at);
    if (last?.isMatch === isMatch) last.text += name.charAt(at);
    else parts.push({ text: name.charAt(at), isMatch });
  }
  return parts;
}
