// The numbers of numbered lists. A block ends every list deeper than itself, and the list at its own depth unless it is
// numbered too; a divider ends them all. A block without a depth (a picture between two steps) ends none. On screen
// `src/ui/blocks/numbers.css` counts by the same rule.
import { MAX_INDENT } from './block.ts';
import type { AnyBlock } from './detached-block.ts';

/** The last number at each depth; 0 where no list is open. */
export type ListNumbers = readonly number[];

export const NO_NUMBERS: ListNumbers = Array.from({ length: MAX_INDENT + 1 }, () => 0);

export function numbersAfter(block: AnyBlock, before: ListNumbers): ListNumbers {
  if (block.type === 'divider') return NO_NUMBERS;
  if (block.type !== 'block') return before;
  const { indent, kind } = block;
  return before.map((number, depth) => {
    if (depth < indent) return number;
    return depth === indent && kind === 'numbered' ? number + 1 : 0;
  });
}
