// The items of a list with the same origin. insertion-index.ts explains what is asked of them.
import { OrderedTree } from './ordered-tree.ts';
import { type ItemPlace, comparePlaces, isBefore } from './place.ts';

const clientOf = (place: ItemPlace): number => place.item.id.client;
const hasSmallerClient = (a: ItemPlace, b: ItemPlace): boolean => clientOf(a) < clientOf(b);
const isCoveredLater = (a: ItemPlace, b: ItemPlace): boolean =>
  b.cover !== null && (a.cover === null || isBefore(b.cover, a.cover));

export class Siblings {
  /** In any order, until someone asks: most have no siblings. */
  #unsorted: ItemPlace[] | null = [];
  #byClient = new OrderedTree<ItemPlace>(hasSmallerClient);
  /** Null as long as none has a cover. */
  #byCover: OrderedTree<ItemPlace> | null = null;

  add(place: ItemPlace): void {
    if (this.#unsorted === null) this.#addSorted(place);
    else this.#unsorted.push(place);
  }

  /** The last one before the end whose client id is smaller. */
  lastBelow(client: number, end: ItemPlace | null): ItemPlace | null {
    this.#sort();
    return this.#byClient.last(
      (place) => isBefore(place, end),
      (place) => clientOf(place) < client,
    );
  }

  /** The first one behind the place that nothing before the end spans. */
  firstUncovered(behind: ItemPlace, end: ItemPlace | null): ItemPlace | null {
    this.#sort();
    return (this.#byCover ?? this.#byClient).first(
      (place) => isBefore(behind, place),
      ({ cover }) => cover === null || !isBefore(cover, end),
    );
  }

  #addSorted(place: ItemPlace): void {
    const isLeft = (other: ItemPlace) => isBefore(other, place);
    if (place.cover !== null && this.#byCover === null) {
      this.#byCover = new OrderedTree(isCoveredLater, [...this.#byClient.values()]);
    }
    this.#byCover?.insert(place, isLeft);
    this.#byClient.insert(place, isLeft);
  }

  #sort(): void {
    if (this.#unsorted === null) return;
    const sorted = this.#unsorted.sort(comparePlaces);
    this.#unsorted = null;
    this.#byClient = new OrderedTree(hasSmallerClient, sorted);
    if (sorted.some(({ cover }) => cover !== null)) this.#byCover = new OrderedTree(isCoveredLater, sorted);
  }
}
