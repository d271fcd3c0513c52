// Finds the position of a new item in a list as Yjs 13.6.33 does (`Item.integrate`), in O(log n) instead of a walk over all
// that others inserted between the same neighbours.
//
// Yjs walks right from the item's origin X, until the item's right neighbour, and ends earlier at the first item whose
// origin is left of X (it belongs to something further left). Let E be where it ends. On its way it moves the position behind
// each child of X with a smaller client id (a child of X is an item whose origin is exactly X), and behind each other item
// whose origin is left of the position. So if no such child is before E, the position is X. Otherwise it is the end of the
// run that begins at the last such child c: in front of the first child d of X after c, or of E. But a d that an item spans
// does not end the run (an item before E, no child of X, whose origin is between X and d): the run goes on behind that item.
//
// Once d is there, no item right of d gets an origin between X and d, because its walk ends at d at the latest. So the
// items that span d are there before d is, and the first of them, its cover, decides.
//
// Yjs also ends the walk at a child e of X with the same right origin and no smaller client id. That changes nothing: behind
// e, the item's walk meets what the walk of e met or what came later, so no child of X with a smaller client id than e's.
import * as Y from 'yjs';
import { assert } from '../../lib/assert.ts';
import { IdMap } from './id-map.ts';
import { type Entry, OrderedTree } from './ordered-tree.ts';
import { type ItemPlace, comparePlaces, findCovers, isBefore, newPlace } from './place.ts';
import { Siblings } from './siblings.ts';

/** One list during one transaction: within it, Yjs inserts and splits items, and neither merges nor moves any. */
export class InsertionIndex {
  readonly #store: Y.Doc['store'];
  readonly #places = new Map<Y.Item, ItemPlace>();
  readonly #siblings = new IdMap<Siblings>();
  readonly #order: OrderedTree<ItemPlace>;

  constructor(store: Y.Doc['store'], head: Y.Item | null) {
    this.#store = store;
    const places: ItemPlace[] = [];
    for (let item = head; item !== null; item = item.right) {
      const place = newPlace(item);
      const origin = item.origin === null ? null : this.#places.get(Y.getItem(store, item.origin));
      place.origin = origin ?? null;
      places.push(place);
      this.#places.set(item, place);
      this.#addToSiblings(place);
    }
    findCovers(places);
    this.#order = new OrderedTree<ItemPlace>(this.#hasEarlierOrigin, places, setEntry);
  }

  /** The first item of the list. */
  get head(): Y.Item | null {
    return this.#order.first(always, always)?.item ?? null;
  }

  /** The item behind which the new one belongs; null means at the beginning. */
  leftOf({ id, left, right, origin }: Y.Item): Y.Item | null {
    const siblings = this.#siblings.get(origin);
    if (siblings === undefined) return left;
    const from = left === null ? null : this.#placeOf(left);
    let end = this.#endOf(from);
    // The right neighbour may be in another list, or left of the origin: then no one meets it.
    const neighbour = right === null ? undefined : this.#places.get(right);
    if (neighbour !== undefined && (from === null || isBefore(from, neighbour)) && isBefore(neighbour, end)) {
      end = neighbour;
    }
    const smaller = siblings.lastBelow(id.client, end);
    if (smaller === null) return left;
    const next = siblings.firstUncovered(smaller, end);
    if (next !== null && isBefore(next, end)) end = next;
    return end === null ? (this.#order.last(always, always)?.item ?? null) : end.item.left;
  }

  /** Call it with each item that Yjs put into the list. */
  add(item: Y.Item): void {
    const place = this.#insert(item);
    place.cover = this.#coverOf(place);
    this.#addToSiblings(place);
  }

  /** Call it with the right part of each item that was split, before the next item is put into the list. */
  addPart(item: Y.Item): void {
    if (this.#places.has(item)) return;
    const parts = [item];
    for (let { left } = item; left !== null && !this.#places.has(left); left = left.left) parts.push(left);
    // Each is directly behind its origin, so nothing spans it.
    for (const part of parts.toReversed()) this.#addToSiblings(this.#insert(part));
  }

  #insert(item: Y.Item): ItemPlace {
    const place = newPlace(item);
    const left = item.left === null ? null : this.#placeOf(item.left);
    this.#places.set(item, place);
    place.origin = this.#containing(item.origin);
    this.#order.insert(place, (other) => left !== null && comparePlaces(other, left) <= 0, setEntry);
    return place;
  }

  #coverOf(place: ItemPlace): ItemPlace | null {
    const { right, origin } = place.item;
    if (right === null) return null;
    const next = this.#placeOf(right);
    // Nothing has its origin in the new item, so what spans its right sibling spans it too.
    if (Y.compareIDs(next.item.origin, origin)) return next.cover;
    return this.#compareOrigins(next, place) > 0 ? next : null;
  }

  /** The first item right of the place whose origin is left of the place's last character. Null is the beginning. */
  #endOf(place: ItemPlace | null): ItemPlace | null {
    if (place === null) return null;
    const { clock } = place.item.lastId;
    return this.#order.first(
      (other) => isBefore(place, other),
      (other) => {
        const origin = this.#originOf(other);
        if (origin === place) return (other.item.origin?.clock ?? 0) < clock;
        return origin === null || isBefore(origin, place);
      },
    );
  }

  readonly #hasEarlierOrigin = (a: ItemPlace, b: ItemPlace): boolean => this.#compareOrigins(a, b) < 0;

  /** Negative if the origin of the first is left of the other's. */
  #compareOrigins(a: ItemPlace, b: ItemPlace): number {
    const [left, right] = [this.#originOf(a), this.#originOf(b)];
    if (left === null || right === null) return Number(left !== null) - Number(right !== null);
    if (left === right) return (a.item.origin?.clock ?? 0) - (b.item.origin?.clock ?? 0);
    return comparePlaces(left, right);
  }

  #originOf(place: ItemPlace): ItemPlace | null {
    const { origin, item } = place;
    if (origin === null || item.origin === null) return null;
    if (item.origin.clock >= origin.item.id.clock + origin.item.length) place.origin = this.#containing(item.origin);
    return place.origin;
  }

  /** While the parts of split items are added, the place left of a part that is still to come stands for it. */
  #containing(id: Y.ID | null): ItemPlace | null {
    if (id === null) return null;
    let item: Y.Item | null = Y.getItem(this.#store, id);
    while (item.left !== null && !this.#places.has(item)) item = item.left;
    return this.#placeOf(item);
  }

  #placeOf(item: Y.Item): ItemPlace {
    const place = this.#places.get(item);
    assert(place !== undefined, 'the index knows every item of its list');
    return place;
  }

  #addToSiblings(place: ItemPlace): void {
    this.#siblings.getOrAdd(place.item.origin, () => new Siblings()).add(place);
  }
}

const always = (): boolean => true;

const setEntry = (entry: Entry<ItemPlace>): void => {
  entry.value.entry = entry;
};
