// Keeps the objects of unchanged blocks: the worker sends new objects each time, and React would draw them anew.
import { useState } from 'react';
import type { Block } from 'weft-document/blocks/block.ts';

export function useKeptBlocks(blocks: readonly Block[]): readonly Block[] {
  const [last, setLast] = useState({ from: blocks, kept: blocks });
  if (last.from === blocks) return last.kept;
  const kept = keptBlocks(last.kept, blocks);
  setLast({ from: blocks, kept });
  return kept;
}

export function keptBlocks(before: readonly Block[], now: readonly Block[]): readonly Block[] {
  const known = new Map(before.map((block) => [block.key, block]));
  return now.map((block) => {
    const old = known.get(block.key);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(block) ? old : block;
  });
}
