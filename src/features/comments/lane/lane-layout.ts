// Moves the cards of the lane to the lines of their words. Outside React: words move with every line that someone types above
// them, and a card that only moves is not rendered.
import type { CommentMarks } from '../../../editor/comments/comment-marks.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { isSameList } from '../../../lib/lists/is-same-list.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import { crowdedCards, layOutCards } from './lay-out-cards.ts';

export type CardId = ThreadId | 'draft';

/** The places of threads in the text, as far as cards depend on them. The same object until one of these changes. */
export type TextPlaces = {
  readonly ranks: ReadonlyMap<ThreadId, number>;
  readonly gone: ReadonlySet<ThreadId>;
  /** The cards that have room for one line only. */
  readonly crowded: ReadonlySet<CardId>;
};

/** Below the head of the lane. */
const TOP_PX = 58;
/** The first line in a card stands at the line of the words. */
const INTO_CARD_PX = 8;

export class LaneLayout {
  readonly #marks: CommentMarks;
  readonly #changes = new Subscribable();
  readonly #cards = new Map<CardId, HTMLElement>();
  readonly #sizes = new ResizeObserver(() => this.#move());
  #active: CardId | null = null;
  #places: TextPlaces = { ranks: new Map(), gone: new Set(), crowded: new Set() };

  constructor(marks: CommentMarks) {
    this.#marks = marks;
  }

  readonly get = (): TextPlaces => this.#places;

  readonly subscribe = (run: () => void): Cancel => {
    this.#update();
    const stops = [this.#changes.subscribe(run), this.#marks.subscribe(() => this.#update())];
    return () => {
      for (const stop of stops) stop();
    };
  };

  setActive(card: CardId | null): void {
    this.#active = card;
    this.#move();
  }

  /** Moves the card from now on, until it is cancelled. */
  add(id: CardId, card: HTMLElement): Cancel {
    this.#cards.set(id, card);
    this.#sizes.observe(card);
    return () => {
      this.#cards.delete(id);
      this.#sizes.unobserve(card);
    };
  }

  #update(): void {
    const next = this.#read();
    if (!isSame(next, this.#places)) {
      this.#places = next;
      this.#changes.notify();
    }
    this.#move();
  }

  #read(): TextPlaces {
    const listed = Array.from(this.#marks.places()).toSorted(([, a], [, b]) => a.order - b.order);
    const crowded = crowdedCards(listed.map(([, { top }]) => top));
    const threads = listed.flatMap(([id, place]) => (id === 'draft' ? [] : [{ id, ...place }]));
    return {
      ranks: new Map(threads.map(({ id }, rank) => [id, rank])),
      gone: new Set(threads.flatMap(({ id, isGone }) => (isGone ? id : []))),
      crowded: new Set(listed.flatMap(([id], at) => (crowded.has(at) ? id : []))),
    };
  }

  #move(): void {
    const places = this.#marks.places();
    const orderOf = (id: CardId) => places.get(id)?.order ?? Number.MAX_SAFE_INTEGER;
    const ids = Array.from(this.#cards.keys()).toSorted((a, b) => orderOf(a) - orderOf(b));
    const cards = ids.map((id) => {
      const top = places.get(id)?.top ?? null;
      return { line: top === null ? null : top - INTO_CARD_PX, height: this.#cards.get(id)?.offsetHeight ?? 0 };
    });
    const active = this.#active === null ? -1 : ids.indexOf(this.#active);
    const tops = layOutCards(cards, active < 0 ? null : active, TOP_PX);
    for (const [at, id] of ids.entries()) {
      const card = this.#cards.get(id);
      if (card !== undefined) card.style.translate = `0 ${Math.round(tops[at] ?? 0)}px`;
    }
  }
}

const isSame = (a: TextPlaces, b: TextPlaces): boolean =>
  isSameList(Array.from(a.ranks.keys()), Array.from(b.ranks.keys())) &&
  isSameList(Array.from(a.gone), Array.from(b.gone)) &&
  isSameList(Array.from(a.crowded), Array.from(b.crowded));
