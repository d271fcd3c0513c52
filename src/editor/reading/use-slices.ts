// Draws the blocks of a long page in slices, a frame each, so that the browser is never busy for long.
import { useState, useSyncExternalStore } from 'react';
import type { Block, TableBlock, TableCell } from 'weft-document/blocks/block.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import { afterFrame } from '../../ui/browser/frame-budget.ts';
import { isTooCostly, partCosts } from './block-cost.ts';
import { type BlockGroup, BlockGroups } from './block-groups.ts';
import { compareRows } from './known-rows.ts';

/** The time that React may draw without a pause, with layout and paint. */
const SLICE_MS = 40;

/**
 * The state in which a block is drawn. `block` is an earlier state if the change waits for the next slice; in a table only some
 * rows may be. `source` is the page's block if no change waits. `parts` counts the rows of a table.
 */
export type DrawnBlock = { readonly block: Block; readonly source: Block | null; readonly parts: number };

/** Blocks side by side, without those that wait for a later slice. The same object as long as nothing in it changes. */
export type DrawnGroup = { readonly id: number; readonly blocks: readonly DrawnBlock[] };

export type Slice = { readonly groups: readonly DrawnGroup[]; readonly isWhole: boolean };

/** Returns the blocks that are drawn by now. A drawn block stays drawn, wherever blocks come in between. */
export function useSlices(blocks: readonly Block[]): Slice {
  const [slices] = useState(() => new Slices());
  return useSyncExternalStore(slices.subscribe, () => slices.get(blocks));
}

class Slices {
  readonly #changes = new Subscribable();
  #blocks: readonly Block[] = [];
  readonly #allGroups = new BlockGroups();
  #groups: readonly BlockGroup[] = [];
  #drawn: ReadonlyMap<string, DrawnBlock> = new Map();
  #slice: Slice = { groups: [], isWhole: true };
  #isWaiting = false;
  #isDue = false;

  readonly subscribe = this.#changes.subscribe;

  /** The same slice until there are other blocks or the next slice is due. */
  get(blocks: readonly Block[]): Slice {
    if (blocks !== this.#blocks) this.#groups = this.#allGroups.take(blocks.map(({ key }) => key));
    else if (!this.#isDue) return this.#slice;
    this.#blocks = blocks;
    this.#isDue = false;
    this.#slice = this.#next();
    if (!this.#slice.isWhole) this.#drawMore();
    return this.#slice;
  }

  #next(): Slice {
    const blocks = this.#blocks;
    const drawn = new Map<string, DrawnBlock>();
    const budget = new SliceBudget();
    let isWhole = true;
    for (const block of blocks) {
      const next = budget.draw(block, this.#drawn.get(block.key) ?? null);
      if (next !== null) drawn.set(block.key, next);
      isWhole &&= next?.source === block && next.parts === partCosts(block).length;
    }
    this.#drawn = drawn;
    const before = new Map(this.#slice.groups.map((group) => [group.id, group]));
    const groups = this.#groups.map(({ id, start, end }) => {
      const group = { id, blocks: blocks.slice(start, end).flatMap((block) => drawn.get(block.key) ?? []) };
      const known = before.get(id);
      return known !== undefined && isSame(known, group) ? known : group;
    });
    return { groups, isWhole };
  }

  #drawMore(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    afterFrame(() => {
      this.#isWaiting = false;
      this.#isDue = true;
      this.#changes.notify();
    });
  }
}

const isSame = (one: DrawnGroup, other: DrawnGroup): boolean =>
  one.blocks.length === other.blocks.length && one.blocks.every((block, at) => block === other.blocks[at]);

class SliceBudget {
  #left = SLICE_MS;

  /** The part of the block that fits, with the part that was drawn before. */
  draw(block: Block, before: DrawnBlock | null): DrawnBlock | null {
    if (before === null) {
      const first = this.#drawMore({ block, source: block, parts: 0 });
      return first.parts === 0 ? null : first;
    }
    if (before.source === block) return this.#drawMore(before);
    if (hasDrawnRows(block) && hasDrawnRows(before.block)) return this.#drawRows(block, before.block, before.parts);
    const [cost = 0] = partCosts(block);
    return this.#take(cost) ? this.#drawMore({ block, source: block, parts: 1 }) : before;
  }

  /** The same object if nothing more fits. */
  #drawMore(drawn: DrawnBlock): DrawnBlock {
    const costs = partCosts(drawn.source ?? drawn.block);
    let { parts } = drawn;
    while (parts < costs.length && this.#take(costs[parts] ?? 0)) parts += 1;
    return parts === drawn.parts ? drawn : { ...drawn, parts };
  }

  /** Draws changed rows as long as they fit. The others stay as they were, and new rows after one that does not fit wait. */
  #drawRows(block: TableBlock, drawn: TableBlock, drawnParts: number): DrawnBlock {
    const costs = partCosts(block);
    const shown = new Set(drawn.rows.slice(0, drawnParts));
    const rows: (readonly TableCell[])[] = [];
    let waits = false;
    let parts = 0;
    for (const [y, { before, now }] of compareRows(drawn, block).entries()) {
      const isShown = before !== null && shown.has(before);
      const fits = (isShown && before === now) || this.#take(costs[y] ?? 0);
      if (!fits && !isShown) break;
      rows.push(fits ? now : (before ?? now));
      waits ||= !fits;
      parts += 1;
    }
    const mixed = { ...block, rows: [...rows, ...block.rows.slice(parts)] };
    return { block: mixed, source: waits ? null : block, parts };
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

const hasDrawnRows = (block: Block): block is TableBlock =>
  block.type === 'table' && block.rows.length > 0 && !isTooCostly(block);
