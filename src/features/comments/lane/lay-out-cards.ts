// Where the cards of the lane stand: each at the line of its words, below one another. All numbers are pixels.

export type Card = {
  /** The line of its words; null if it has none: then it follows the card before it. */
  readonly line: number | null;
  readonly height: number;
};

const GAP_PX = 10;
/** With more than two cards in this height, each has one line. */
const CROWD_PX = 120;
const CROWD = 3;

/**
 * The tops of the cards, in the order of the text, none above `top`. The active card keeps its line, and those above it make
 * room; without an active card, each makes room for the one above it.
 */
export function layOutCards(cards: readonly Card[], active: number | null, top: number): readonly number[] {
  const tops = cards.map(({ line }) => line);
  for (let at = (active ?? 0) - 1; at >= 0; at--) {
    const [below, height] = [tops[at + 1] ?? null, cards[at]?.height ?? 0];
    if (below === null) continue;
    const lowest = below - GAP_PX - height;
    tops[at] = Math.min(tops[at] ?? lowest, lowest);
  }
  let free = top;
  return tops.map((wish, at) => {
    const placed = Math.max(wish ?? free, free);
    free = placed + (cards[at]?.height ?? 0) + GAP_PX;
    return placed;
  });
}

/** The indices of the cards that have only one line. `lines`: in the order of the text; without a line as in `Card`. */
export function crowdedCards(lines: readonly (number | null)[]): ReadonlySet<number> {
  const crowded = new Set<number>();
  let before = 0;
  const known = lines.map((line) => (before = line ?? before));
  for (const [at, first] of known.entries()) {
    const last = known[at + CROWD - 1];
    if (last === undefined || last - first > CROWD_PX) continue;
    for (let one = at; one < at + CROWD; one++) crowded.add(one);
  }
  return crowded;
}
