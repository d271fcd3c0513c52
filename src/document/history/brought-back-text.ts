// Words that one person removed from a text, and that others typed again, pasted, or restored at their place: the page without
// that person's edits must not show them twice (`brought-back.ts`).
import { firstIndex } from '../../lib/lists/first-index.ts';
import { type ContributionIndex, type ItemRange, NEVER } from './item-history.ts';
import type { Sees } from './page-view.ts';

/** So much before and behind a removal says that something is at the same place. */
const CONTEXT = 16;
/** Earlier states with which a text is compared: each costs its length. */
const MAX_STATES = 200;

type Characters = ItemRange & { readonly content: { readonly type: 'text' } };
/** Characters that stood side by side and were removed without anyone writing in between. */
type Removal = {
  /** Half open. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** When the last of them were inserted. */
  readonly born: ContributionIndex;
  readonly firstDied: ContributionIndex;
  readonly died: ContributionIndex;
};
type Period = { readonly from: ContributionIndex; readonly to: ContributionIndex };

/** The characters that `sees` brings back although later ones say the same at their place. */
export function charactersBroughtBack(ranges: readonly ItemRange[], sees: Sees): readonly ItemRange[] {
  const all = ranges.filter((range): range is Characters => range.content.type === 'text');
  if (!all.some((one) => one.died !== NEVER && sees(one))) return [];
  const text = new RemovedText(all, sees);
  const removals = text.removals();
  const restored = text.restored(removals);
  const isAgain = (removal: Removal) =>
    restored.some(({ from, to }) => removal.born < from && removal.firstDied >= from && removal.died < to) ||
    text.standsAgain(removal);
  const { newest } = text;
  // The newest first: an older one looks for its words among later characters, without those that do not come back.
  return removals
    .filter(({ died }) => died < newest)
    .toSorted((one, other) => other.died - one.died)
    .flatMap((removal) => (isAgain(removal) ? text.leaveOut(removal) : []));
}

class RemovedText {
  /**
   * The latest removal of a seen character: `NEVER` if one is there, else that of the block around all, for example.
   */
  readonly newest: ContributionIndex;
  readonly #all: readonly Characters[];
  readonly #seen: Set<Characters>;
  readonly #sees: Sees;
  /** Up to where later characters were found, by the contribution that removed the text. */
  readonly #used = new Map<ContributionIndex, { readonly from: number; readonly end: number }>();

  constructor(all: readonly Characters[], sees: Sees) {
    this.#all = all;
    this.#seen = new Set(all.filter(sees));
    this.#sees = sees;
    let newest = 0;
    for (const { died } of this.#seen) newest = Math.max(newest, died);
    this.newest = newest;
  }

  removals(): readonly Removal[] {
    const births = Array.from(this.#seen, ({ born }) => born).sort((one, other) => one - other);
    const found: Removal[] = [];
    for (let at = 0; at < this.#all.length;) {
      let to = at;
      let [born, firstDied, died] = [0, NEVER, 0];
      for (let one = this.#all[to]; one !== undefined && this.#comesBack(one); one = this.#all[++to]) {
        const [first, last] = [Math.min(firstDied, one.died), Math.max(died, one.died)];
        if (isBetween(births, first, last)) break;
        [born, firstDied, died] = [Math.max(born, one.born), first, last];
      }
      if (to > at) found.push({ from: at, to, text: textOf(this.#all.slice(at, to)), born, firstDied, died });
      at = Math.max(to, at + 1);
    }
    return found;
  }

  /**
   * Half open: at its end the whole text says the same as at its beginning, so someone restored it.
   */
  restored(removals: readonly Removal[]): readonly Period[] {
    const contributions = Array.from(new Set(removals.map(({ firstDied }) => firstDied)))
      .sort((one, other) => one - other)
      .slice(0, MAX_STATES);
    const states = contributions.map(
      (contribution) => [contribution, textOf(this.#all.filter((one) => this.#stood(one, contribution)))] as const,
    );
    const now = textOf(this.#all.filter((one) => this.#seen.has(one) && one.died === this.newest));
    const last = new Map([...states.map(([contribution, text]) => [text, contribution] as const), [now, this.newest]]);
    return states.map(([contribution, text]) => ({ from: contribution, to: last.get(text) ?? contribution }));
  }

  /** It was there just before a contribution, whatever others did since: they may have replaced it by the same. */
  #stood(one: Characters, contribution: ContributionIndex): boolean {
    return one.born < contribution && one.died >= contribution && this.#sees({ ...one, died: NEVER });
  }

  /** Its characters, which do not come back. */
  leaveOut({ from, to }: Removal): readonly Characters[] {
    const characters = this.#all.slice(from, to);
    for (const one of characters) this.#seen.delete(one);
    return characters;
  }

  standsAgain(removal: Removal): boolean {
    return this.#isInGap(removal) || this.#isInContext(removal);
  }

  #comesBack(one: Characters): boolean {
    return one.died !== NEVER && this.#seen.has(one);
  }

  /** Later characters say the same, between the two that stood around the removed ones and still stand. */
  #isInGap({ from, to, text, died }: Removal): boolean {
    const { newest } = this;
    const stood = (one: Characters | undefined) =>
      one === undefined || (one.died === newest && one.born < died && this.#seen.has(one));
    let [start, end] = [from, to];
    while (!stood(this.#all[start - 1])) start -= 1;
    while (!stood(this.#all[end])) end += 1;
    const later = textOf(this.#all.slice(start, end).filter((one) => one.born > died && this.#seen.has(one)));
    const used = this.#used.get(died);
    const place = later.indexOf(text, used?.from === start ? used.end : 0);
    if (place < 0) return false;
    this.#used.set(died, { from: start, end: place + text.length });
    return true;
  }

  /**
   * The text with its former surroundings is the same, with at least as many later characters. Restoring a text changes as few of
   * its characters as it can: for "boat, boat" it may insert "at, bo" where "boat, " was removed.
   */
  #isInContext({ from, to, text, firstDied, died }: Removal): boolean {
    let [before, behind] = ['', ''];
    for (let at = from - 1; at >= 0 && before.length < CONTEXT; at--) {
      const one = this.#all[at];
      if (one !== undefined && this.#stood(one, firstDied)) before = one.content.text + before;
    }
    for (let at = to; at < this.#all.length && behind.length < CONTEXT; at++) {
      const one = this.#all[at];
      if (one !== undefined && this.#stood(one, firstDied)) behind += one.content.text;
    }
    const wanted = before.slice(-CONTEXT) + text + behind.slice(0, CONTEXT);
    const now = this.#all.filter((one) => this.#seen.has(one) && (one.died > died || one.born > died));
    const said = textOf(now);
    for (let place = said.indexOf(wanted); place >= 0; place = said.indexOf(wanted, place + 1))
      if (laterIn(now, place, place + wanted.length, died) >= text.length) return true;
    return false;
  }
}

const textOf = (characters: readonly Characters[]): string => characters.map(({ content }) => content.text).join('');

/** How many characters between two places were written after a contribution. */
function laterIn(characters: readonly Characters[], from: number, to: number, contribution: ContributionIndex): number {
  let [at, count] = [0, 0];
  for (const { length, born } of characters) {
    if (born > contribution) count += Math.max(0, Math.min(to, at + length) - Math.max(from, at));
    at += length;
    if (at >= to) break;
  }
  return count;
}

/** Whether one of the sorted numbers is higher than `low` and lower than `high`. */
function isBetween(sorted: readonly number[], low: number, high: number): boolean {
  return (sorted[firstIndex(sorted.length, (at) => (sorted[at] ?? 0) > low)] ?? Infinity) < high;
}
