// Announces what others do to a page, in sentences for people who cannot see it: during pauses, rarely, and never while
// this user types. Pure: time comes through `after` and `now`.
import { counted } from '../../lib/text/counted.ts';
import type { Cancel } from '../../lib/cancel.ts';

/** Waits for a pause of this length, so that typing is not announced character by character. */
export const PAUSE_MS = 2_000;
/** The longest delay for someone who never pauses. */
export const MAX_DELAY_MS = 8_000;
/** The shortest time between two announcements. */
export const MIN_INTERVAL_MS = 15_000;
/** The pause after this user's own typing, because a screen reader echoes their keys. */
export const OWN_PAUSE_MS = 3_000;
const MAX_WORDS = 48;

export interface Announcer {
  /**
   * `who` is a name, or null if unknown. `block` is the changed block, always the same object for the same block, or
   * null if blocks were added or removed.
   */
  readonly changed: (who: string | null, block: object | null) => void;
  readonly arrived: (who: string) => void;
  readonly left: (who: string) => void;
  /** This user typed. */
  readonly typed: () => void;
  readonly stop: () => void;
}

export function createAnnouncer(options: {
  readonly announce: (sentence: string) => void;
  /** The first words of a block; '' if it has none or is gone. */
  readonly wordsOf: (block: object) => string;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly now: () => number;
}): Announcer {
  const { announce, wordsOf, after, now } = options;
  const authors = new Set<string | null>();
  const blocks = new Set<object | null>();
  /** People who arrived or left and have not left again or come back since. */
  const arrivals = new Set<string>();
  const left = new Set<string>();
  let firstAt: number | null = null;
  let lastAt = 0;
  let announcedAt = -MIN_INTERVAL_MS;
  let typedAt = -OWN_PAUSE_MS;
  let waiting: Cancel | null = null;

  const onEvent = () => {
    lastAt = now();
    firstAt ??= lastAt;
    schedule();
  };
  const schedule = () => {
    waiting?.();
    waiting = null;
    if (firstAt === null) return;
    const rested = Math.min(lastAt + PAUSE_MS, firstAt + MAX_DELAY_MS);
    const due = Math.max(rested, announcedAt + MIN_INTERVAL_MS, typedAt + OWN_PAUSE_MS);
    waiting = after(Math.max(0, due - now()), announceDue);
  };
  const announceDue = () => {
    waiting = null;
    const sentence = [
      arrivals.size > 0 ? `${listed([...arrivals])} opened the page.` : '',
      left.size > 0 ? `${listed([...left])} left.` : '',
      blocks.size > 0 ? changes() : '',
    ];
    for (const all of [authors, blocks, arrivals, left]) all.clear();
    firstAt = null;
    const text = sentence.filter((part) => part !== '').join(' ');
    if (text === '') return;
    announcedAt = now();
    announce(text);
  };
  const changes = () => {
    const known = [...blocks].filter((block) => block !== null);
    const who = listed([...authors].map((one) => one ?? 'Someone'));
    const words = shortened(wordsOf(known.at(-1) ?? {}));
    const where = words === '' ? '' : `“${words}”`;
    if (known.length > 1) return `${who} changed ${known.length} blocks${where === '' ? '' : `, last ${where}`}.`;
    return where === '' ? `${who} changed the page.` : `${who} changed ${where}.`;
  };

  return {
    changed(who, block) {
      authors.add(who);
      // The block changed last is the one that is named.
      blocks.delete(block);
      blocks.add(block);
      onEvent();
    },
    arrived(who) {
      if (!left.delete(who)) arrivals.add(who);
      onEvent();
    },
    left(who) {
      if (!arrivals.delete(who)) left.add(who);
      onEvent();
    },
    typed() {
      typedAt = now();
      if (firstAt !== null) schedule();
    },
    stop() {
      waiting?.();
      waiting = null;
    },
  };
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
  return line.length <= MAX_WORDS
    ? line
    : `${line.slice(0, MAX_WORDS).replace(/\s*\S*$/u, '') || line.slice(0, MAX_WORDS)}…`;
};
