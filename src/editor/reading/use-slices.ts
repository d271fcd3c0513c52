// Draws the blocks of a long page, or the rows of a long table, in slices, a frame each, so that the browser is never busy for long.
import { useState, useSyncExternalStore } from 'react';
import { Subscribable } from '../../lib/subscribable.ts';
import { afterFrame } from '../../ui/browser/frame-budget.ts';

/** Blocks or cells that React draws in one go: 40 ms with layout and paint (Chromium 156, 2 busy cores). */
export const SLICE = 150;

type Keyed = { readonly key: string };

/**
 * The blocks that are drawn by now. Those that were drawn stay, wherever others come in between. `costOf` says for how many
 * blocks one counts.
 */
export function useSlices<Block extends Keyed>(
  blocks: readonly Block[],
  costOf: (block: Block) => number,
): ReadonlySet<Block> {
  const [slices] = useState(() => new Slices<Block>(costOf));
  return useSyncExternalStore(slices.subscribe, () => slices.get(blocks));
}

class Slices<Block extends Keyed> {
  readonly #costOf: (block: Block) => number;
  readonly #changes = new Subscribable();
  #blocks: readonly Block[] | null = null;
  #drawn: ReadonlySet<Block> = new Set();
  #isDue = false;

  constructor(costOf: (block: Block) => number) {
    this.#costOf = costOf;
  }

  readonly subscribe = this.#changes.subscribe;

  /** The same set until there are other blocks or the next slice is due. */
  get(blocks: readonly Block[]): ReadonlySet<Block> {
    if (blocks === this.#blocks) return this.#drawn;
    const known = new Set(Array.from(this.#drawn, ({ key }) => key));
    let left = SLICE;
    const fits = (block: Block) => {
      const isFitting = left > 0;
      if (isFitting) left -= this.#costOf(block);
      return isFitting;
    };
    // A block that changed is another object with the same key.
    this.#drawn = new Set(blocks.filter((block) => known.has(block.key) || fits(block)));
    this.#blocks = blocks;
    if (this.#drawn.size < blocks.length) this.#drawMore();
    return this.#drawn;
  }

  #drawMore(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    afterFrame(() => {
      this.#isDue = false;
      this.#blocks = null;
      this.#changes.notify();
    });
  }
}
