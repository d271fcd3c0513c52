// Finds emoji by name, tag or description, best match first. Does not load the list.

export type EmojiName = {
  readonly emoji: string;
  readonly names: readonly string[];
  readonly tags: readonly string[];
  readonly description: string;
};

const MAX_RESULTS = 8;
const NO_MATCH = 5;

/** `recent` holds emoji, latest first. They win among equal matches. */
export function findEmoji<T extends EmojiName>(
  all: readonly T[],
  query: string,
  recent: readonly string[],
): readonly T[] {
  const typed = query.toLowerCase();
  const age = ({ emoji }: T) => (recent.includes(emoji) ? recent.indexOf(emoji) : recent.length);
  return all
    .map((one) => ({ one, rank: rankOf(one, typed) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank || age(a.one) - age(b.one) || lengthOf(a.one) - lengthOf(b.one))
    .slice(0, MAX_RESULTS)
    .map(({ one }) => one);
}

function rankOf({ names, tags, description }: EmojiName, typed: string): number {
  if (names.includes(typed)) return 0;
  if (names.some((name) => name.startsWith(typed))) return 1;
  if (tags.some((tag) => tag.startsWith(typed))) return 2;
  if (names.some((name) => name.split('_').some((word) => word.startsWith(typed)))) return 3;
  return description.toLowerCase().includes(typed) ? 4 : NO_MATCH;
}

const lengthOf = ({ names }: EmojiName): number => names[0]?.length ?? 0;
