// Draws the blocks of a long page in slices, a frame each, so that the browser is never busy for long.
import { useState, useSyncExternalStore } from 'react';
import { Subscribable } from '../../lib/subscribable.ts';
import { afterFrame } from '../../ui/browser/frame-budget.ts';

/** Blocks that React draws in one go: 40 ms with layout and paint (Chromium 156, 2 busy cores). */
const SLICE = 150;

type Keyed = { readonly key: string };

/** The blocks that are drawn by now. Those that were drawn stay, wherever others come in between. */
export function useSlices<Block extends Keyed>(blocks: readonly Block[]): ReadonlySet<Block> {
  const [slices] = useState(() => new Slices<Block>());
  return useSyncExternalStore(slices.subscribe, () => slices.get(blocks));
}

class Slices<Block extends Keyed> {
  readonly #changes = new Subscribable();
  #blocks: readonly Block[] | null = null;
  #drawn: ReadonlySet<Block> = new Set();
  #isDue = false;

  readonly subscribe = this.#changes.subscribe;

  /** The same set until there are other blocks or the next slice is due. */
  get(blocks: readonly Block[]): ReadonlySet<Block> {
    if (blocks === this.#blocks) return this.#drawn;
    const known = new Set(Array.from(this.#drawn, ({ key }) => key));
    let left = SLICE;
    // A block that changed is another object with the same key.
    this.#drawn = new Set(blocks.filter(({ key }) => known.has(key) || left-- > 0));
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
