// Finds entries of the slash menu by name, search term or shortcut, best match first. While nothing is typed: all of
// them, the latest choices on top.
import type { Insertable } from './insertables.ts';

/** This many recent entries are on top while nothing is typed. */
const SHOWN_RECENT = 4;

export type FoundInsertable = { readonly insertable: Insertable; readonly group: string | null };

/** `recent` holds ids, latest first. */
export function findInsertables(
  all: readonly Insertable[],
  query: string,
  recent: readonly string[],
): readonly FoundInsertable[] {
  const typed = query.trim().toLowerCase();
  const age = ({ id }: Insertable) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  if (typed === '') {
    const latest = all.filter(({ id }) => recent.includes(id)).toSorted((a, b) => age(a) - age(b));
    const top = latest.slice(0, SHOWN_RECENT);
    return [
      ...top.map((insertable) => ({ insertable, group: 'Recent' })),
      ...all.filter((one) => !top.includes(one)).map((insertable) => ({ insertable, group: insertable.group })),
    ];
  }
  return all
    .map((insertable) => ({ insertable, rank: rankOf(insertable, typed) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank || age(a.insertable) - age(b.insertable))
    .map(({ insertable }) => ({ insertable, group: null }));
}

const NO_MATCH = 5;

/** 0 is best. Equal ranks keep their order. */
function rankOf({ name, searchTerms, shortcut }: Insertable, query: string): number {
  const lower = name.toLowerCase();
  if (lower.startsWith(query) || shortcut === query) return 0;
  if (lower.replaceAll(' ', '').startsWith(query.replaceAll(' ', ''))) return 1;
  const all = `${lower} ${searchTerms.toLowerCase()}`.split(' ');
  const parts = query.split(/\s+/);
  if (parts.every((part) => all.some((word) => word.startsWith(part)))) return 2;
  if (lower.includes(query)) return 3;
  return hasInOrder(lower, query) ? 4 : NO_MATCH;
}

/** "hd2" finds "heading 2". The first character must be the name's, or nearly every query would find something. */
function hasInOrder(name: string, query: string): boolean {
  if (name[0] !== query[0]) return false;
  let at = 0;
  for (const character of name) if (character === query[at]) at += 1;
  return at === query.length;
}
