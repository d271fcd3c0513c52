// The flat list of a page as other formats want it: what stands deeper behind a list item or a toggle belongs to it.
import type { Kind } from './block.ts';
import type { AnyBlock } from './detached-block.ts';

export type Branch = { readonly block: AnyBlock; readonly below: readonly Branch[] };

const ITEMS: readonly Kind[] = ['bullet', 'numbered', 'task'];

export const isItem = (block: AnyBlock): boolean => block.type === 'block' && ITEMS.includes(block.kind);

export const isNumbered = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'numbered';

const isHolder = (block: AnyBlock): boolean => isItem(block) || (block.type === 'block' && block.kind === 'toggle');

/** Nodes without an indent stand at the edge. */
export const indentOf = (block: AnyBlock): number => (block.type === 'block' ? block.indent : 0);

export function treeOfBlocks(blocks: readonly AnyBlock[]): readonly Branch[] {
  const roots: Branch[] = [];
  const open: { readonly indent: number; readonly below: Branch[] }[] = [];
  for (const block of blocks) {
    const indent = indentOf(block);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const below: Branch[] = [];
    (open.at(-1)?.below ?? roots).push({ block, below });
    if (isHolder(block)) open.push({ indent, below });
  }
  return roots;
}

export const isQuote = (block: AnyBlock): boolean => block.type === 'block' && block.kind === 'quote';

/** Neighbours that make one list or one quote, the rest each by itself. Numbers and the others make different lists. */
export function groupsOf(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const groups: Branch[][] = [];
  for (const branch of branches) {
    const last = groups.at(-1);
    const before = last?.[0];
    if (last !== undefined && before !== undefined && areOne(before.block, branch.block)) last.push(branch);
    else groups.push([branch]);
  }
  return groups;
}

export const areOneList = (one: AnyBlock, other: AnyBlock): boolean =>
  isItem(one) && isItem(other) && isNumbered(one) === isNumbered(other);

const areOne = (one: AnyBlock, other: AnyBlock): boolean => areOneList(one, other) || (isQuote(one) && isQuote(other));
