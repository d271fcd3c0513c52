// Turns a page's flat list of blocks into a tree for export: deeper blocks after a list item, a toggle or a callout become
// its children.
import type { Kind } from './block.ts';
import type { AnyBlock } from './detached-block.ts';
import { type ListNumbers, NO_NUMBERS, numbersAfter } from './list-numbers.ts';

export type Branch = {
  readonly block: AnyBlock;
  /** The number before the text of a numbered block; other blocks show none. */
  readonly number: number;
  readonly children: readonly Branch[];
};

const ITEMS: readonly Kind[] = ['bullet', 'numbered', 'task'];

export const isItem = (block: AnyBlock): boolean => block.type === 'block' && ITEMS.includes(block.kind);

export const isNumbered = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'numbered';

const canHaveChildren = (block: AnyBlock): boolean =>
  isItem(block) || (block.type === 'block' && (block.kind === 'toggle' || block.kind === 'callout'));

/** Nodes without an indent count as 0. */
export const indentOf = (block: AnyBlock): number => (block.type === 'block' ? block.indent : 0);

/** `before` is for a part of a page: the numbers of the lists that are open where it begins. */
export function treeOfBlocks(blocks: readonly AnyBlock[], before: ListNumbers = NO_NUMBERS): readonly Branch[] {
  const roots: Branch[] = [];
  let numbers = before;
  const open: { readonly indent: number; readonly children: Branch[] }[] = [];
  for (const block of blocks) {
    const indent = indentOf(block);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const children: Branch[] = [];
    numbers = numbersAfter(block, numbers);
    (open.at(-1)?.children ?? roots).push({ block, number: numbers[indent] ?? 0, children });
    if (canHaveChildren(block)) open.push({ indent, children });
  }
  return roots;
}

export const isQuote = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'quote';

/**
 * Groups siblings that form one list or one quote; every other block is a group of its own. Numbered items do not mix with
 * other items, and one with a start of its own, or with another delimiter, begins a new list.
 */
export function groupSiblings(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const groups: Branch[][] = [];
  for (const branch of branches) {
    const last = groups.at(-1);
    const before = last?.[0];
    if (last !== undefined && before !== undefined && inSameGroup(before.block, branch.block)) last.push(branch);
    else groups.push([branch]);
  }
  return groups;
}

export const inSameList = (one: AnyBlock, other: AnyBlock): boolean =>
  isItem(one) && isItem(other) && isNumbered(one) === isNumbered(other) && goesOn(one, other);

const goesOn = (one: AnyBlock, other: AnyBlock): boolean =>
  one.type !== 'block' ||
  other.type !== 'block' ||
  other.kind !== 'numbered' ||
  (other.start === null && one.delimiter === other.delimiter);

const inSameGroup = (one: AnyBlock, other: AnyBlock): boolean =>
  inSameList(one, other) || (isQuote(one) && isQuote(other));
