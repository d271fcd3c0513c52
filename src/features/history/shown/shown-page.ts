// What the history draws of a page, whichever way it is shown.
import type { Block } from '../../../document/blocks/block.ts';
import type { ChangeMark } from '../../../document/changes/change-steps.ts';
import type { BlockLook, TextLook } from '../../../editor/changes/shown-changes.ts';
import type { Deed } from '../../../state/ports/history.ts';

/** A change that the reader goes to. */
export type ShownStep = { readonly key: string; readonly step: number; readonly says: string };

/** Who stands beside a block. `others`: how many more wrote in it. */
export type BlockNote = { readonly deed: Deed; readonly others: number; readonly hasTime: boolean };

export type ShownPage = {
  readonly title: string;
  /** The title that it was, if it was another one. */
  readonly titleBefore: string | null;
  readonly blocks: readonly Block[];
  readonly marks: ReadonlyMap<string, readonly ChangeMark[]>;
  readonly looks: ReadonlyMap<ChangeMark, TextLook>;
  readonly blockLooks: ReadonlyMap<string, BlockLook>;
  readonly notes: ReadonlyMap<string, BlockNote>;
  readonly steps: readonly ShownStep[];
  /** More is changed, or more people wrote it, than is marked. */
  readonly isCut: boolean;
  readonly words: { readonly inserted: number; readonly removed: number } | null;
};

export const plainPage = (title: string, blocks: readonly Block[]): ShownPage => ({
  title,
  titleBefore: null,
  blocks,
  marks: new Map(),
  looks: new Map(),
  blockLooks: new Map(),
  notes: new Map(),
  steps: [],
  isCut: false,
  words: null,
});

/** Says who did something and when. */
export type SaysWho = (deed: Deed | null) => { readonly says: string; readonly dye: string | null };
