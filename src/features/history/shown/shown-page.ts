// The parts of a page that the history draws, in each of its modes.
import type { Block } from 'weft-document/blocks/block.ts';
import type { BlockLook, BlockNote, HistoryMark } from '../../../editor/changes/shown-changes.ts';
import type { Contribution } from '../../../ports/history.ts';

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
  /** Null if nothing was compared. */
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
export type SaysWho = (contribution: Contribution | null) => {
  readonly says: string;
  /** The form beside a block. */
  readonly short: string;
  readonly dye: string | null;
};

/**
 * Caches the text for each contribution: few contributions wrote the thousand blocks of a page, and putting a time in words is
 * slow.
 */
export function oncePerContribution<Of extends Contribution | null, Said>(
  say: (contribution: Of) => Said,
): (contribution: Of) => Said {
  const known = new Map<Of, Said>();
  return (contribution) => {
    const said = known.get(contribution) ?? say(contribution);
    known.set(contribution, said);
    return said;
  };
}

export function noteOf(
  contribution: Contribution,
  saysWho: SaysWho,
  { others = 0, time = null }: Partial<BlockNote> = {},
): BlockNote {
  const { short, dye } = saysWho(contribution);
  return { name: short, dye, others, time, isPassedOn: contribution.passedOnFrom !== undefined };
}
