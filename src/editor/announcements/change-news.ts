// What others do to a page, in sentences for who does not see it: said when they rest, seldom, and never while this person
// types. Pure: time comes through `after` and `now`.
import type { Cancel } from '../../lib/cancel.ts';

/** Somebody who goes on writing is not announced letter by letter. */
export const REST_MS = 2_000;
/** Somebody who never rests is, after this. */
export const PATIENCE_MS = 8_000;
/** Between two announcements. */
export const EVERY_MS = 15_000;
/** Whoever types listens to their own words. */
export const OWN_REST_MS = 3_000;
const MAX_WORDS = 48;

export interface ChangeNews {
  /** `who`: a name; null: not known. `block`: what was changed, the same object for the same block; null: blocks came or went. */
  readonly changed: (who: string | null, block: object | null) => void;
  readonly came: (who: string) => void;
  readonly left: (who: string) => void;
  /** This person typed. */
  readonly typed: () => void;
  readonly stop: () => void;
}

export function changeNews(options: {
  readonly say: (sentence: string) => void;
  /** The first words of a block now; '' when it has none, or is gone. */
  readonly wordsOf: (block: object) => string;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly now: () => number;
}): ChangeNews {
  const { say, wordsOf, after, now } = options;
  const authors = new Set<string | null>();
  const blocks = new Set<object | null>();
  /** Who came or left and did not go or come back since. */
  const came = new Set<string>();
  const left = new Set<string>();
  let firstAt: number | null = null;
  let lastAt = 0;
  let saidAt = -EVERY_MS;
  let typedAt = -OWN_REST_MS;
  let waiting: Cancel | null = null;

  const note = () => {
    lastAt = now();
    firstAt ??= lastAt;
    plan();
  };
  const plan = () => {
    waiting?.();
    waiting = null;
    if (firstAt === null) return;
    const rested = Math.min(lastAt + REST_MS, firstAt + PATIENCE_MS);
    const due = Math.max(rested, saidAt + EVERY_MS, typedAt + OWN_REST_MS);
    waiting = after(Math.max(0, due - now()), tell);
  };
  const tell = () => {
    waiting = null;
    const sentence = [
      came.size > 0 ? `${listed([...came])} opened the page.` : '',
      left.size > 0 ? `${listed([...left])} left.` : '',
      blocks.size > 0 ? changes() : '',
    ];
    for (const all of [authors, blocks, came, left]) all.clear();
    firstAt = null;
    const said = sentence.filter((part) => part !== '').join(' ');
    if (said === '') return;
    saidAt = now();
    say(said);
  };
  const changes = () => {
    const known = [...blocks].filter((block) => block !== null);
    const who = listed([...authors].map((one) => one ?? 'Somebody'));
    const words = shortened(wordsOf(known.at(-1) ?? {}));
    const where = words === '' ? '' : `“${words}”`;
    if (known.length > 1) return `${who} changed ${known.length} blocks${where === '' ? '' : `, last ${where}`}.`;
    return where === '' ? `${who} changed the page.` : `${who} changed ${where}.`;
  };

  return {
    changed(who, block) {
      authors.add(who);
      // The last one is the one that is named.
      blocks.delete(block);
      blocks.add(block);
      note();
    },
    came(who) {
      if (!left.delete(who)) came.add(who);
      note();
    },
    left(who) {
      if (!came.delete(who)) left.add(who);
      note();
    },
    typed() {
      typedAt = now();
      if (firstAt !== null) plan();
    },
    stop() {
      waiting?.();
      waiting = null;
    },
  };
}

/** "Ada", "Ada and Bert", "Ada, Bert and 4 others". */
function listed(names: readonly string[]): string {
  const [first = '', second, ...others] = names;
  if (second === undefined) return first;
  if (others.length === 0) return `${first} and ${second}`;
  return `${first}, ${second} and ${others.length === 1 ? '1 other' : `${others.length} others`}`;
}

const shortened = (words: string): string => {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_WORDS
    ? line
    : `${line.slice(0, MAX_WORDS).replace(/\s*\S*$/u, '') || line.slice(0, MAX_WORDS)}…`;
};
