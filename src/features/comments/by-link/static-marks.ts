// Marks the words of threads on a page that is drawn for reading, again after each change of what is drawn. Outside React: the page
// is drawn a part at a time, and anew with every line that someone writes.
import type * as Y from 'yjs';
import type { Cancel } from '../../../lib/cancel.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { LinkThread } from '../../../protocol/comments.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import { type StaticPlace, staticPlaces } from './static-places.ts';

export type StaticPlaces = ReadonlyMap<ThreadId, StaticPlace>;

/** The words are marked again once the page has not changed for this time, */
const QUIET_MS = 150;
/** or after this time, if it keeps changing. */
const MAX_WAIT_MS = 1_000;
/** The names in by-link.css. */
const WORDS = 'commented';
const ACTIVE_WORDS = 'commented-active';
const BLOCK = 'data-commented';

const pageElement = (): Element | null => document.querySelector('.watch main');

function isOfPage(node: Node): boolean {
  const page = pageElement();
  return page === null || page.contains(node) || node.contains(page);
}

export class StaticMarks {
  readonly #doc: Y.Doc;
  readonly #changes = new Subscribable();
  #places: StaticPlaces = new Map();
  #threads: readonly LinkThread[] = [];
  #active: ThreadId | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when the timer waits. */
  #waitsSince: number | null = null;

  constructor(doc: Y.Doc) {
    this.#doc = doc;
  }

  readonly get = (): StaticPlaces => this.#places;

  /** Marks the words until it is cancelled. */
  readonly subscribe = (run: () => void): Cancel => {
    const stop = this.#changes.subscribe(run);
    const drawn = new MutationObserver((changes) => {
      // In the bar, the seconds since the last change pass.
      if (!changes.some(({ target }) => isOfPage(target))) return;
      const now = performance.now();
      this.#waitsSince ??= now;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#read(), Math.min(QUIET_MS, this.#waitsSince + MAX_WAIT_MS - now));
    });
    const page = document.querySelector('.watch');
    this.#paint();
    if (page !== null) drawn.observe(page, { childList: true, characterData: true, subtree: true });
    return () => {
      stop();
      drawn.disconnect();
      this.#stopTimer();
      this.#unpaint();
    };
  };

  /** `active`: the thread that was chosen. */
  show(threads: readonly LinkThread[], active: ThreadId | null): void {
    const isSame =
      threads.length === this.#threads.length && threads.every((thread, at) => thread === this.#threads[at]);
    if (isSame && active === this.#active) return;
    this.#threads = threads;
    this.#active = active;
    this.#read();
  }

  /** The thread whose words are at this place of the window. */
  threadAt({ clientX, clientY, target }: MouseEvent): ThreadId | null {
    const isAt = ({ left, right, top, bottom }: DOMRect) =>
      clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (!(target instanceof Element) || target.closest('.watch main') === null) return null;
    if (target.closest('a, button') !== null) return null;
    for (const [id, { ranges, block }] of this.#places) {
      if (block?.contains(target) === true) return id;
      if (ranges.some((range) => Array.from(range.getClientRects()).some(isAt))) return id;
    }
    return null;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#waitsSince = null;
  }

  #read(): void {
    this.#stopTimer();
    const page = pageElement();
    if (page === null) return;
    this.#unpaint();
    this.#places = staticPlaces(this.#doc, page, this.#threads);
    this.#paint();
    this.#changes.notify();
  }

  /** Browsers without highlights show the quotes beside the text all the same. */
  #paint(): void {
    const rangesWhere = (is: (id: ThreadId) => boolean) =>
      Array.from(this.#places).flatMap(([id, { ranges }]) => (is(id) ? ranges : []));
    for (const [id, { block }] of this.#places) block?.setAttribute(BLOCK, id === this.#active ? 'active' : '');
    if (!('highlights' in CSS)) return;
    CSS.highlights.set(WORDS, new Highlight(...rangesWhere((id) => id !== this.#active)));
    CSS.highlights.set(ACTIVE_WORDS, new Highlight(...rangesWhere((id) => id === this.#active)));
  }

  #unpaint(): void {
    for (const { block } of this.#places.values()) block?.removeAttribute(BLOCK);
    if (!('highlights' in CSS)) return;
    CSS.highlights.delete(WORDS);
    CSS.highlights.delete(ACTIVE_WORDS);
  }
}
