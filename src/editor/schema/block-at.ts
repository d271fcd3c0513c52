// Reads blocks from an editor state: the block at a position, the blocks a selection touches.
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';
import { type Style, parseStyle } from 'weft-document/blocks/block.ts';
import { BLOCK } from 'weft-document/names.ts';

/** A block with its position: `at` is the position before it. */
export type PlacedBlock = { readonly node: Node; readonly at: number; readonly index: number };

export const styleOf = (node: Node): Style => parseStyle(node.attrs);

export const isBlock = (node: Node | null | undefined): node is Node => node?.type.name === BLOCK;

export const isCode = (node: Node): boolean => isBlock(node) && styleOf(node).kind === 'code';

/** The text block that contains the position; null in a table, caption or formula, beside a divider, on an empty page. */
export function blockAt($pos: ResolvedPos): PlacedBlock | null {
  if ($pos.depth === 0) return null;
  const node = $pos.node(1);
  return isBlock(node) ? { node, at: $pos.before(1), index: $pos.index(0) } : null;
}

/** The text blocks that the selection touches. */
export function selectedBlocks({ doc, selection }: Pick<EditorState, 'doc' | 'selection'>): readonly PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  doc.nodesBetween(selection.from, selection.to, (node, at, _parent, index) => {
    if (isBlock(node)) blocks.push({ node, at, index });
    return false;
  });
  return blocks;
}
