// Announces what others do to a page, in sentences for people who cannot see it: during pauses, rarely, and never while
// this user types. Pure: time comes through `after` and `now`.
import type { Cancel } from '../../lib/cancel.ts';
import { counted } from '../../lib/text/counted.ts';
import { cutText } from '../../lib/text/cut-text.ts';

/** Waits for a pause of this length, so that typing is not announced character by character. */
export const PAUSE_MS = 2_000;
/** The longest wait for a pause of the others. */
export const MAX_DELAY_MS = 8_000;
/** The shortest time between two announcements. */
export const MIN_INTERVAL_MS = 15_000;
/** The pause after this user's own typing, because a screen reader echoes their keys. */
export const OWN_PAUSE_MS = 3_000;
/** Characters of a block that are quoted. */
const MAX_QUOTED = 48;

type AnnouncerOptions = {
  readonly announce: (sentence: string) => void;
  /** The text of a block; '' if it has none or is gone. */
  readonly wordsOf: (block: object) => string;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly now: () => number;
};

export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #authors = new Set<string | null>();
  readonly #blocks = new Set<object | null>();
  /** Who came since the last announcement. Someone who comes and leaves again in between is in neither set. */
  readonly #arrivals = new Set<string>();
  readonly #left = new Set<string>();
  #firstAt: number | null = null;
  #lastAt = 0;
  #announcedAt = -MIN_INTERVAL_MS;
  #typedAt = -OWN_PAUSE_MS;
  #waiting: Cancel | null = null;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /**
   * `who` is a name, or null if unknown. `block` is the changed block, always the same object for the same block, or
   * null if blocks were added or removed.
   */
  changed(who: string | null, block: object | null): void {
    this.#authors.add(who);
    // The block changed last is the one that is named.
    this.#blocks.delete(block);
    this.#blocks.add(block);
    this.#onEvent();
  }

  arrived(who: string): void {
    if (!this.#left.delete(who)) this.#arrivals.add(who);
    this.#onEvent();
  }

  left(who: string): void {
    if (!this.#arrivals.delete(who)) this.#left.add(who);
    this.#onEvent();
  }

  /** This user typed. */
  typed(): void {
    this.#typedAt = this.#options.now();
    if (this.#firstAt !== null) this.#schedule();
  }

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
  }

  #onEvent(): void {
    this.#lastAt = this.#options.now();
    this.#firstAt ??= this.#lastAt;
    this.#schedule();
  }

  #schedule(): void {
    this.stop();
    if (this.#firstAt === null) return;
    const { after, now } = this.#options;
    const rested = Math.min(this.#lastAt + PAUSE_MS, this.#firstAt + MAX_DELAY_MS);
    const due = Math.max(rested, this.#announcedAt + MIN_INTERVAL_MS, this.#typedAt + OWN_PAUSE_MS);
    this.#waiting = after(Math.max(0, due - now()), () => this.#announceDue());
  }

  #announceDue(): void {
    this.#waiting = null;
    const sentence = [
      this.#arrivals.size > 0 ? `${listed([...this.#arrivals])} opened the page.` : '',
      this.#left.size > 0 ? `${listed([...this.#left])} left.` : '',
      this.#blocks.size > 0 ? this.#changes() : '',
    ];
    for (const all of [this.#authors, this.#blocks, this.#arrivals, this.#left]) all.clear();
    this.#firstAt = null;
    const text = sentence.filter((part) => part !== '').join(' ');
    if (text === '') return;
    this.#announcedAt = this.#options.now();
    this.#options.announce(text);
  }

  #changes(): string {
    const known = [...this.#blocks].filter((block) => block !== null);
    const who = listed([...this.#authors].map((one) => one ?? 'Someone'));
    const words = shortened(this.#options.wordsOf(known.at(-1) ?? {}));
    const where = words === '' ? '' : `“${words}”`;
    if (known.length > 1) return `${who} changed ${known.length} blocks${where === '' ? '' : `, last ${where}`}.`;
    return where === '' ? `${who} changed the page.` : `${who} changed ${where}.`;
  }
}

/** "Alice", "Alice and Bob", "Alice, Bob and 4 others". */
function listed(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  if (second === undefined) return first;
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${counted(others.length, 'other')}`;
}

const shortened = (words: string): string => {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_QUOTED
    ? line
    : `${line.slice(0, MAX_QUOTED).replace(/\s*\S*$/u, '') || cutText(line, MAX_QUOTED)}…`;
};
