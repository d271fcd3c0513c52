// Draws the blocks of a long page in slices, a frame each, so that the browser is never busy for long.
import { useState, useSyncExternalStore } from 'react';
import type { Block } from '../../document/blocks/block.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { afterFrame } from '../../ui/browser/frame-budget.ts';
import { partCosts } from './block-cost.ts';

/** The time that React may draw without a pause, with layout and paint. */
const SLICE_MS = 40;

/** `block` is an earlier state of the block if the change waits for the next slice. `parts` counts the rows of a table. */
type Drawn = { readonly block: Block; readonly parts: number };

export type Slice = {
  /** The state in which each block is drawn. A block that is missing waits for a later slice. */
  readonly drawn: ReadonlyMap<Block, Drawn>;
  readonly isWhole: boolean;
};

/** Returns the blocks that are drawn by now. A drawn block stays drawn, wherever blocks come in between. */
export function useSlices(blocks: readonly Block[]): Slice {
  const [slices] = useState(() => new Slices());
  return useSyncExternalStore(slices.subscribe, () => slices.get(blocks));
}

class Slices {
  readonly #changes = new Subscribable();
  #blocks: readonly Block[] | null = null;
  #slice: Slice = { drawn: new Map(), isWhole: true };
  #isDue = false;

  readonly subscribe = this.#changes.subscribe;

  /** The same slice until there are other blocks or the next slice is due. */
  get(blocks: readonly Block[]): Slice {
    if (blocks === this.#blocks) return this.#slice;
    const before = new Map(Array.from(this.#slice.drawn.values(), (one) => [one.block.key, one]));
    const drawn = new Map<Block, Drawn>();
    const budget = new SliceBudget();
    let isWhole = true;
    for (const block of blocks) {
      const next = budget.draw(block, before.get(block.key) ?? null);
      if (next !== null) drawn.set(block, next);
      isWhole &&= next !== null && next.block === block && next.parts === partCosts(block).length;
    }
    this.#slice = { drawn, isWhole };
    this.#blocks = blocks;
    if (!isWhole) this.#drawMore();
    return this.#slice;
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

class SliceBudget {
  #left = SLICE_MS;

  /** As much of the block as fits, and what was drawn of it before. */
  draw(block: Block, before: Drawn | null): Drawn | null {
    if (before?.block === block) return this.#drawMore(block, before.parts);
    if (before === null) {
      const first = this.#drawMore(block, 0);
      return first.parts === 0 ? null : first;
    }
    const costs = partCosts(block);
    // React compares a table's rows and draws only what differs, so it counts no more than one row.
    const [cost = 0] = costs;
    return this.#take(cost) ? this.#drawMore(block, Math.max(1, Math.min(before.parts, costs.length))) : before;
  }

  #drawMore(block: Block, drawnParts: number): Drawn {
    const costs = partCosts(block);
    let parts = drawnParts;
    while (parts < costs.length && this.#take(costs[parts] ?? 0)) parts += 1;
    return { block, parts };
  }

  /** A slice has at least one part, whatever it costs. */
  #take(cost: number): boolean {
    if (cost > this.#left && this.#left < SLICE_MS) {
      this.#left = 0;
      return false;
    }
    this.#left -= cost;
    return true;
  }
}
