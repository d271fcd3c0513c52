// The places of items in one list of Yjs. insertion-index.ts explains what they are for.
import type * as Y from 'yjs';
import type { Entry } from './ordered-tree.ts';

export type ItemPlace = {
  readonly item: Y.Item;
  /** Contains the item's origin, or contained it before it was split. Null if the item has no origin. */
  origin: ItemPlace | null;
  /** The first item that spans this one: right of it, with an origin between this one's origin and this one. */
  cover: ItemPlace | null;
  entry: Entry<ItemPlace> | null;
};

export const newPlace = (item: Y.Item): ItemPlace => ({
  item,
  origin: null,
  cover: null,
  entry: null,
});

const labelOf = (place: ItemPlace): number => place.entry?.label ?? 0;

/** Negative if the first is left of the other. */
export const comparePlaces = (a: ItemPlace, b: ItemPlace): number => labelOf(a) - labelOf(b);

/** Null stands for the end of the list. */
export const isBefore = (a: ItemPlace, b: ItemPlace | null): boolean => b === null || labelOf(a) < labelOf(b);

/** Items with one origin, `from`. All of them are right of it. */
type Group = { readonly from: number; readonly members: ItemPlace[] };

/**
 * Sets the cover of each, as far as it matters: an item behind one whose origin is left of the place's origin covers it
 * no more. Goes from left to right over the list with a stack of the items whose cover may still come. No member of a
 * group is left of one in a group below it.
 */
export function findCovers(places: readonly ItemPlace[]): void {
  const starts = new Map<ItemPlace, number>();
  let length = 0;
  for (const place of places) {
    starts.set(place, length);
    length += place.item.length;
  }
  const startOf = (place: ItemPlace): number => starts.get(place) ?? 0;
  const open: Group[] = [];
  for (const place of places) {
    const { origin, item } = place;
    let from = -1;
    if (origin !== null && item.origin !== null) from = startOf(origin) + item.origin.clock - origin.item.id.clock;
    let top = open.at(-1);
    while (top !== undefined && top.from !== from) {
      if (top.from < from) {
        for (let last = top.members.at(-1); last !== undefined && startOf(last) > from; last = top.members.at(-1)) {
          last.cover = place;
          top.members.pop();
        }
        if (top.members.length > 0) break;
      }
      open.pop();
      top = open.at(-1);
    }
    if (top?.from === from) top.members.push(place);
    else open.push({ from, members: [place] });
  }
}
