// The differences between two states of a page, as plain values that views draw. Made by `compare-pages.ts`.
import type { Block } from '../blocks/block.ts';

/** UTF-16 offsets in the new text. */
export type TextRange = { readonly from: number; readonly to: number };
/** Text that is gone. It stood at `at` in the new text. */
export type RemovedText = { readonly at: number; readonly text: string; readonly words: number };

export type TextChanges = {
  /** In order; no two touch. */
  readonly inserted: readonly TextRange[];
  /** In order, one per place. At the start of a range if text was replaced. */
  readonly removed: readonly RemovedText[];
  /** Text that stayed, with other marks. */
  readonly formatted: readonly TextRange[];
};

export type ComparedValue = string | number | boolean | null | undefined;
/** Undefined: the attribute does not apply to the block's kind. */
export type AttributeChange = {
  readonly name: string;
  readonly before: ComparedValue;
  readonly after: ComparedValue;
};

/** A cell of the new table that is new, or has another text or other marks. */
export type CellChange = {
  readonly row: number;
  readonly column: number;
  readonly isNew: boolean;
  readonly text: TextChanges;
};
export type RemovedCell = { readonly text: string; readonly words: number };

/** A block of the new page that is not as it was. */
export type ChangedBlock = {
  readonly key: string;
  /** The key of the block that it was; null: it is new. */
  readonly before: string | null;
  readonly isMoved: boolean;
  /** Empty for a new block. */
  readonly attributes: readonly AttributeChange[];
  /** Null for blocks without text, and for tables. */
  readonly text: TextChanges | null;
  readonly cells: readonly CellChange[];
  readonly removedCells: readonly RemovedCell[];
};

/** Blocks that are gone, one after the other. */
export type RemovedBlocks = {
  /** The block before which they stood; null: the end of the page. */
  readonly next: string | null;
  readonly blocks: readonly Block[];
  readonly words: number;
};

export type PageChanges = {
  /** In the order of the new page. */
  readonly blocks: readonly ChangedBlock[];
  readonly removed: readonly RemovedBlocks[];
  readonly insertedWords: number;
  readonly removedWords: number;
};
