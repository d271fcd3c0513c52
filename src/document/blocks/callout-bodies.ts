// The blocks that callouts hold: the deeper-indented blocks after each, as with toggles. Does not depend on the editor or the
// screen.
import { MAX_INDENT, TONES, type Tone } from './block.ts';
import { bodyEnd } from './toggle-body.ts';

export type CalloutRow = {
  /** Null for a node without an indent. */
  readonly indent: number | null;
  /** The tone of a callout; null for any other block. */
  readonly tone: Tone | null;
};

/** The place of a row in a callout that holds blocks: the callout itself, or one that it holds. */
export type CalloutPlace = {
  readonly tone: Tone;
  /** The indent of the callout. */
  readonly indent: number;
  readonly part: 'begin' | 'middle' | 'end';
};

/** One object for each place, so that a row whose place is the same is not drawn again. */
const PLACES: readonly CalloutPlace[] = TONES.flatMap((tone) =>
  Array.from({ length: MAX_INDENT + 1 }, (_, indent) =>
    (['begin', 'middle', 'end'] as const).map((part) => ({ tone, indent, part })),
  ).flat(),
);

const placeOf = (tone: Tone, indent: number, part: CalloutPlace['part']) =>
  PLACES.find((place) => place.tone === tone && place.indent === indent && place.part === part);

/** The places of all rows in callouts, by their index. A callout in another one is part of that. */
export function calloutPlaces(rows: readonly CalloutRow[]): ReadonlyMap<number, CalloutPlace> {
  const places = new Map<number, CalloutPlace>();
  for (let index = 0; index < rows.length;) {
    const { tone = null, indent = null } = rows[index] ?? {};
    const begin = index;
    index = tone === null ? begin + 1 : bodyEnd(rows, begin);
    if (tone === null || index === begin + 1) continue;
    for (let at = begin; at < index; at++) {
      const place = placeOf(tone, indent ?? 0, at === begin ? 'begin' : at === index - 1 ? 'end' : 'middle');
      if (place !== undefined) places.set(at, place);
    }
  }
  return places;
}
