// The flat list of a page as other formats want it: what stands deeper behind a list item or a toggle belongs to it.
import type { Kind } from './block.ts';
import type { AnyBlock } from './detached-block.ts';

export type Branch = { readonly block: AnyBlock; readonly children: readonly Branch[] };

const ITEMS: readonly Kind[] = ['bullet', 'numbered', 'task'];

export const isItem = (block: AnyBlock): boolean => block.type === 'block' && ITEMS.includes(block.kind);

export const isNumbered = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'numbered';

const canHaveChildren = (block: AnyBlock): boolean =>
  isItem(block) || (block.type === 'block' && block.kind === 'toggle');

/** Nodes without an indent stand at the edge. */
export const indentOf = (block: AnyBlock): number => (block.type === 'block' ? block.indent : 0);

export function treeOfBlocks(blocks: readonly AnyBlock[]): readonly Branch[] {
  const roots: Branch[] = [];
  const open: { readonly indent: number; readonly children: Branch[] }[] = [];
  for (const block of blocks) {
    const indent = indentOf(block);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const children: Branch[] = [];
    (open.at(-1)?.children ?? roots).push({ block, children });
    if (canHaveChildren(block)) open.push({ indent, children });
  }
  return roots;
}

export const isQuote = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'quote';

/** Neighbours that make one list or one quote, the rest each by itself. Numbers and the others make different lists. */
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
  isItem(one) && isItem(other) && isNumbered(one) === isNumbered(other);

const inSameGroup = (one: AnyBlock, other: AnyBlock): boolean =>
  inSameList(one, other) || (isQuote(one) && isQuote(other));
