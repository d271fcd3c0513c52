// The numbers of numbered lists. A block ends every list deeper than itself, and the list at its own depth unless it is
// numbered too; a divider ends them all. A block without a depth (a picture between two steps) ends none. A numbered
// block with a start counts from there. On screen `src/ui/blocks/numbers.css` counts by the same rule.
import { MAX_INDENT, type Style } from './block.ts';
import type { AnyBlock } from './detached-block.ts';

/** The last number at each depth; 0 where no list is open. */
export type ListNumbers = readonly number[];

export const NO_NUMBERS: ListNumbers = Array.from({ length: MAX_INDENT + 1 }, () => 0);

type Counted =
  | ({ readonly type: 'block' } & Pick<Style, 'indent' | 'kind' | 'start'>)
  | { readonly type: Exclude<AnyBlock['type'], 'block'> };

export function numbersAfter(block: Counted, before: ListNumbers): ListNumbers {
  if (block.type === 'divider') return NO_NUMBERS;
  if (block.type !== 'block') return before;
  const { indent, kind, start } = block;
  return before.map((number, depth) => {
    if (depth < indent) return number;
    return depth === indent && kind === 'numbered' ? (start ?? number + 1) : 0;
  });
}

/** The block, without a start that says what counting says anyway. */
export function withoutNeedlessStart<B extends AnyBlock>(block: B, before: ListNumbers): B {
  const isNeedless = block.type === 'block' && block.start === (before[block.indent] ?? 0) + 1;
  return isNeedless ? { ...block, start: null } : block;
}
