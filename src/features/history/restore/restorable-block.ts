// The state of a block that "Restore this block" brings back: the shown one; if the block is still like that, the state before
// the shown changes.
import type { Block } from 'weft-document/blocks/block.ts';
import { keyBefore } from '../shown/block-parts.ts';
import type { Found } from '../shown/shown-moment.ts';

/** The row in which the block is as wanted, and the block's stored id. */
export type RestorableBlock = { readonly seq: number; readonly id: string };

export function restorableBlock(found: Found | null, key: string, head: number): RestorableBlock | null {
  if (found === null) return null;
  const { seq, from } = found.request;
  const before = found.mode === 'changes' ? found.changes.before.blocks : [];
  const removed = keyBefore(key);
  if (removed !== null) return withId(before, removed, from);
  if (seq < head) return withId(blocksOf(found), key, seq);
  const change = found.mode === 'changes' ? found.changes.changes.blocks.find((one) => one.key === key) : undefined;
  return change?.before == null ? null : withId(before, change.before, from);
}

function blocksOf(found: Found): readonly Block[] {
  if (found.mode === 'changes') return found.changes.page.blocks;
  return found.mode === 'authors' ? found.authored.page.blocks : found.page.blocks;
}

function withId(blocks: readonly Block[], key: string, seq: number): RestorableBlock | null {
  const id = blocks.find((block) => block.key === key)?.id ?? null;
  return id === null ? null : { seq, id };
}
