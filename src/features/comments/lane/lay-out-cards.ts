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
 * The tops of the cards, in the order of the text, none above `top`: each makes room for the one above it. The active card keeps
 * its line if those above it have room up to `top`; of these only the ones that are in its way move up.
 */
export function layOutCards(cards: readonly Card[], active: number | null, top: number): readonly number[] {
  const lines = cards.map(({ line }) => line);
  const line = lines[active ?? -1] ?? null;
  if (active === null || line === null) return below(lines, cards, top);
  const tops = [...below(lines.slice(0, active), cards, top), ...lines.slice(active)];
  let lowest = line;
  for (let at = active - 1; at >= 0; at--) {
    lowest = Math.min(tops[at] ?? lowest, lowest - GAP_PX - (cards[at]?.height ?? 0));
    tops[at] = lowest;
  }
  return below(tops, cards, top);
}

/** Each at its place, or below the one before it. */
function below(places: readonly (number | null)[], cards: readonly Card[], top: number): readonly number[] {
  let free = top;
  return places.map((place, at) => {
    const placed = Math.max(place ?? free, free);
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
