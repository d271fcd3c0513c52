// The parts of a page that the history draws, in each of its modes.
import type { Block } from '../../../document/blocks/block.ts';
import type { BlockLook, BlockNote, HistoryMark } from '../../../editor/changes/shown-changes.ts';
import type { Deed } from '../../../ports/history.ts';

/** A change that the reader goes to. */
export type ShownStep = { readonly key: string; readonly step: number; readonly says: string };

export type ShownPage = {
  readonly title: string;
  /** The earlier title, if it was another one. */
  readonly titleBefore: string | null;
  readonly blocks: readonly Block[];
  readonly marks: ReadonlyMap<string, readonly HistoryMark[]>;
  readonly blockLooks: ReadonlyMap<string, BlockLook>;
  readonly notes: ReadonlyMap<string, BlockNote>;
  readonly steps: readonly ShownStep[];
  /** Some changes or authors have no mark, because there are too many. */
  readonly isCut: boolean;
  readonly words: { readonly inserted: number; readonly removed: number } | null;
};

export const plainPage = (title: string, blocks: readonly Block[]): ShownPage => ({
  title,
  titleBefore: null,
  blocks,
  marks: new Map(),
  blockLooks: new Map(),
  notes: new Map(),
  steps: [],
  isCut: false,
  words: null,
});

/** Names the author and the time of an edit. */
export type SaysWho = (deed: Deed | null) => {
  readonly says: string;
  /** The form beside a block. */
  readonly short: string;
  readonly dye: string | null;
};

/** Caches the text for each deed: few deeds wrote the thousand blocks of a page, and putting a time in words is slow. */
export function oncePerDeed<Of extends Deed | null, Said>(say: (deed: Of) => Said): (deed: Of) => Said {
  const known = new Map<Of, Said>();
  return (deed) => {
    const said = known.get(deed) ?? say(deed);
    known.set(deed, said);
    return said;
  };
}

export function noteOf(deed: Deed, saysWho: SaysWho, { others = 0, time = null }: Partial<BlockNote> = {}): BlockNote {
  const { short, dye } = saysWho(deed);
  return { name: short, dye, others, time, isPassedOn: deed.passedOnFrom !== undefined };
}
