// Blocks that are gone, as the page draws them among the others.
import type { Block } from 'weft-document/blocks/block.ts';

/** Keys of removed blocks are never those of blocks that are there. */
const REMOVED = 'removed:';

export const removedKey = (key: string): string => `${REMOVED}${key}`;
/** The key of the block in the earlier page; null for a block that is there. */
export const keyBefore = (key: string): string | null => (key.startsWith(REMOVED) ? key.slice(REMOVED.length) : null);

export const asRemoved = (block: Block): Block => ({ ...block, key: removedKey(block.key) });
