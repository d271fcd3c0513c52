// The hierarchy of a flat page: blocks with a deeper indent are the body of the block above them. Computes where a
// range of blocks can move and with which indents.
import type { Node } from '@tiptap/pm/model';
import { MAX_INDENT } from 'weft-document/blocks/block.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';
import type { Blocks } from './block-selection.ts';

/** Nodes without an indent count as 0. */
export const nodeIndent = (node: Node | null): number => (isBlock(node) ? styleOf(node).indent : 0);

/** The blocks together with the deeper blocks right below them. */
export function withBody(doc: Node, { from, to }: Blocks): Blocks {
  const base = baseIndent(doc, { from, to });
  let end = to;
  while (end < doc.childCount && nodeIndent(doc.child(end)) > base) end++;
  return { from, to: end };
}

function baseIndent(doc: Node, { from, to }: Blocks): number {
  let base = MAX_INDENT;
  for (let index = from; index < to; index++) base = Math.min(base, nodeIndent(doc.child(index)));
  return base;
}

/** The index the blocks move to when they pass the neighbour and its body; null at the ends of the page. */
export function moveTarget(doc: Node, blocks: Blocks, by: 1 | -1): number | null {
  const base = baseIndent(doc, blocks);
  if (by < 0) {
    if (blocks.from === 0) return null;
    let to = blocks.from - 1;
    while (to > 0 && nodeIndent(doc.child(to)) > base) to--;
    return to;
  }
  if (blocks.to >= doc.childCount) return null;
  const neighbour = { from: blocks.to, to: blocks.to + 1 };
  // Moving out of a body: the new place is right below the next block, not after its whole body.
  return nodeIndent(doc.child(blocks.to)) < base ? neighbour.to : withBody(doc, neighbour).to;
}

/**
 * The indents of the blocks after a move in front of the block that is at `to` now: at most one step deeper than the
 * block above, and deep enough that the block above keeps its body. Null means unchanged.
 */
export function indentsAt(doc: Node, blocks: Blocks, to: number): readonly (number | null)[] {
  const isInside = (index: number) => index >= blocks.from && index < blocks.to;
  let above = to - 1;
  while (above >= 0 && isInside(above)) above--;
  let below = to;
  while (below < doc.childCount && isInside(below)) below++;
  const highest = above < 0 ? 0 : nodeIndent(doc.child(above)) + 1;
  const lowest = Math.min(highest, below < doc.childCount ? nodeIndent(doc.child(below)) : 0);
  const first = nodeIndent(doc.child(blocks.from));
  const shift = Math.max(lowest, Math.min(first, highest)) - first;
  const indents: (number | null)[] = [];
  for (let index = blocks.from; index < blocks.to; index++) {
    const node = doc.child(index);
    const indent = Math.max(0, Math.min(MAX_INDENT, nodeIndent(node) + shift));
    indents.push(!isBlock(node) || indent === nodeIndent(node) ? null : indent);
  }
  return indents;
}
