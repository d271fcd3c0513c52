// Finds names, best match first: at the start of the name, then of a word, then (from two characters on) inside a word.

export function findNames<T>(
  all: readonly T[],
  nameOf: (one: T) => string,
  query: string,
  limit: number,
): readonly T[] {
  const typed = fold(query.trim());
  if (typed === '') return all.slice(0, limit);
  return all
    .map((one) => ({ one, rank: rankOf(fold(nameOf(one)), typed) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ one }) => one);
}

const NO_MATCH = 3;

function rankOf(name: string, typed: string): number {
  if (name.startsWith(typed)) return 0;
  if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(typed)) || name.includes(` ${typed}`)) return 1;
  return typed.length > 1 && name.includes(typed) ? 2 : NO_MATCH;
}

/** "tomas" finds "Tomás". Not by the device's language: in Turkish "i" would not find "I". */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
