// Finds out which block of the new page is which of the old one.
import { longestAscent } from '../../lib/lists/longest-ascent.ts';
import type { WorkBudget } from '../../lib/work-budget.ts';
import type { Block } from '../blocks/block.ts';
import { appliedAttributes, textOfBlock } from './block-parts.ts';
import { tokensOf } from './words.ts';

/** For each block of the new page the index of the old one, or null if it is new. */
export type Matches = readonly (number | null)[];

/** Two blocks are the same one if they share this much of their words. */
const MIN_SIMILARITY = 0.5;
/** Each block is compared with this many before its place, and as many after it. */
const NEIGHBOURS = 12;
/** Only this much of a block's text decides. */
const MAX_COMPARED_UNITS = 600;

/** Matches blocks by key, then by stored id, then by equal content, then by similar words. */
export function matchBlocks(before: readonly Block[], after: readonly Block[], budget: WorkBudget): Matches {
  const matches: (number | null)[] = after.map(() => null);
  const isTaken = before.map(() => false);
  const take = (at: number, old: number) => {
    matches[at] = old;
    isTaken[old] = true;
  };
  const matchBy = (nameOf: (block: Block) => string | null) => {
    const places = new Map<string, number[]>();
    // From the end, because the first place of a name is taken first, and an array gives its last item cheaply.
    for (let at = before.length - 1; at >= 0; at--) {
      const block = before[at];
      const name = block === undefined || isTaken[at] ? null : nameOf(block);
      if (name === null) continue;
      const known = places.get(name);
      if (known === undefined) places.set(name, [at]);
      else known.push(at);
    }
    for (const [at, block] of after.entries()) {
      const name = matches[at] === null ? nameOf(block) : null;
      const old = name === null ? undefined : places.get(name)?.pop();
      if (old !== undefined) take(at, old);
    }
  };
  matchBy(({ type, key }) => `${type} ${key}`);
  matchBy(({ type, id }) => (id === null ? null : `${type} ${id}`));
  matchBy((block) => contentOf(block));
  for (const [at, old] of similarPairs(before, after, matches, isTaken, budget)) {
    if (matches[at] === null && isTaken[old] === false) take(at, old);
  }
  return matches;
}

/** Null for empty blocks: any could be any. */
function contentOf(block: Block): string | null {
  const text = textOfBlock(block);
  if (text.trim() === '' && (block.type === 'block' || block.type === 'table' || block.type === 'divider')) return null;
  return JSON.stringify([block.type, text, appliedAttributes(block)]);
}

/** The best pairs first, and among equally good ones the nearest. The order is the same if the pages are swapped. */
function similarPairs(
  before: readonly Block[],
  after: readonly Block[],
  matches: Matches,
  isTaken: readonly boolean[],
  budget: WorkBudget,
): readonly (readonly [at: number, old: number])[] {
  // Most pages only gained or only lost blocks, and to count the words of a thousand takes 10 ms.
  if (!isTaken.includes(false) || !matches.includes(null)) return [];
  const free1 = before.flatMap((block, at) => (isTaken[at] ? [] : [{ at, bag: bagOf(block, budget) }]));
  const free2 = after.flatMap((block, at) => (matches[at] === null ? [{ at, bag: bagOf(block, budget) }] : []));
  const pairs: { readonly at: number; readonly old: number; readonly score: number }[] = [];
  for (const [index, one] of free2.entries()) {
    const middle = Math.round((index * free1.length) / Math.max(1, free2.length));
    for (const other of free1.slice(Math.max(0, middle - NEIGHBOURS), middle + NEIGHBOURS + 1)) {
      if (one.bag === null || other.bag === null || one.bag.type !== other.bag.type) continue;
      if (!budget.take(Math.min(one.bag.words.size, other.bag.words.size) * 4)) return [];
      const score = similarity(one.bag, other.bag);
      if (score >= MIN_SIMILARITY) pairs.push({ at: one.at, old: other.at, score });
    }
  }
  return pairs
    .sort(
      (a, b) => b.score - a.score || Math.abs(a.at - a.old) - Math.abs(b.at - b.old) || a.at + a.old - (b.at + b.old),
    )
    .map(({ at, old }) => [at, old]);
}

type Bag = { readonly type: Block['type']; readonly words: ReadonlyMap<string, number>; readonly size: number };

/** The words of a block, with how often each is there; null without any. */
function bagOf(block: Block, budget: WorkBudget): Bag | null {
  const text = textOfBlock(block).slice(0, MAX_COMPARED_UNITS);
  if (!budget.take(text.length * 10)) return null;
  const words = new Map<string, number>();
  let size = 0;
  for (const { text: word, isWord } of tokensOf(text)) {
    if (!isWord) continue;
    words.set(word, (words.get(word) ?? 0) + 1);
    size += 1;
  }
  return size === 0 ? null : { type: block.type, words, size };
}

/** Dice's coefficient: 1 for the same words, 0 for none in common. */
function similarity(one: Bag, other: Bag): number {
  const [few, many] = one.words.size <= other.words.size ? [one, other] : [other, one];
  let common = 0;
  for (const [word, count] of few.words) common += Math.min(count, many.words.get(word) ?? 0);
  return (2 * common) / (one.size + other.size);
}

/** The indexes of the numbers that are not in the longest increasing subsequence. */
export function outOfOrder(numbers: readonly number[]): ReadonlySet<number> {
  const inOrder = longestAscent(numbers);
  return new Set(Array.from(numbers.keys()).filter((at) => !inOrder.has(at)));
}
