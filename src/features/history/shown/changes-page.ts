// A page with its changes: added words and blocks, removed ones at their old place, moved and changed blocks, each in the color
// of its author.
import type { Block } from 'weft-document/blocks/block.ts';
import { type ChangeMark, changeSteps } from 'weft-document/changes/change-steps.ts';
import type { ChangedBlock, RemovedBlocks, TextChanges } from 'weft-document/changes/page-changes.ts';
import { OWN_TEXT, textsOf } from 'weft-document/changes/text-part.ts';
import { textChangesIn } from 'weft-document/history/removed-words.ts';
import { clockTime } from '../../../editor/changes/clock-time.ts';
import type { BlockLook, BlockNote, HistoryMark, TextLook } from '../../../editor/changes/shown-changes.ts';
import type { AuthoredRange, Contribution, HistoryChanges } from '../../../ports/history.ts';
import { asRemoved, removedKey } from './block-parts.ts';
import { type SaysWho, type ShownPage, type ShownStep, noteOf, oncePerContribution } from './shown-page.ts';

type TextMark = Extract<ChangeMark, { readonly type: 'text' }>;

/** `at` is the time of the page: changes of the same day need no date. */
export function changesPage(found: HistoryChanges, saysWho: SaysWho, at: number | null = null): ShownPage {
  const { page, before, changes, blockContributions, blockRemovals } = found;
  const { steps, marks, isCut } = changeSteps(changes, page.blocks);
  const drawing = new Drawing(found, saysWho, at);
  const changeOf = new Map(changes.blocks.map((change) => [change.key, change]));
  const removedBefore = new Map(changes.removed.map((group) => [group.next, group]));
  const shown: ShownStep[] = steps.map(({ key, says }, step) => ({ key, step, says }));
  const blocks: Block[] = [];
  const addRemoved = (group: RemovedBlocks | undefined, step: number | undefined) => {
    if (group === undefined) return;
    for (const block of group.blocks) {
      const contribution = blockRemovals.get(block.key) ?? null;
      blocks.push(asRemoved(block));
      drawing.removedBlock(block, contribution, step ?? -1);
    }
    const [first] = group.blocks;
    const one = step === undefined ? undefined : shown[step];
    if (first !== undefined && step !== undefined && one !== undefined)
      shown[step] = { ...one, key: removedKey(first.key) };
  };
  for (const block of page.blocks) {
    const own = marks.get(block.key) ?? [];
    addRemoved(removedBefore.get(block.key), stepOfRemoved(own, false));
    blocks.push(block);
    const change = changeOf.get(block.key);
    if (change !== undefined) drawing.changedBlock(block, change, own, blockContributions.get(block.key) ?? null);
    if (block === page.blocks.at(-1)) addRemoved(removedBefore.get(null), stepOfRemoved(own, true));
  }
  // Nothing is left of the page.
  if (page.blocks.length === 0) addRemoved(removedBefore.get(null), 0);
  return {
    title: page.title,
    titleBefore: before.title === page.title ? null : before.title,
    blocks,
    ...drawing.drawn,
    steps: shown,
    isCut,
    words: { inserted: changes.insertedWords, removed: changes.removedWords },
  };
}

const stepOfRemoved = (marks: readonly ChangeMark[], isAfter: boolean): number | undefined =>
  marks.find((mark) => mark.type === 'goneBlocks' && mark.isAfter === isAfter)?.step;

class Drawing {
  readonly #found: HistoryChanges;
  readonly #saysWho: SaysWho;
  readonly #noteOf: (contribution: Contribution) => BlockNote;
  /** The page is compared with a later one. */
  readonly #isBackwards: boolean;
  readonly #marks = new Map<string, readonly HistoryMark[]>();
  readonly #blockLooks = new Map<string, BlockLook>();
  readonly #notes = new Map<string, BlockNote>();

  constructor(found: HistoryChanges, saysWho: SaysWho, at: number | null) {
    this.#found = found;
    this.#saysWho = saysWho;
    this.#isBackwards = found.before.seq > found.page.seq;
    this.#noteOf = oncePerContribution((contribution: Contribution) =>
      noteOf(contribution, saysWho, {
        time: contribution.at === null ? null : clockTime(contribution.at, at ?? contribution.at),
      }),
    );
  }

  get drawn(): Pick<ShownPage, 'marks' | 'blockLooks' | 'notes'> {
    return { marks: this.#marks, blockLooks: this.#blockLooks, notes: this.#notes };
  }

  removedBlock(block: Block, contribution: Contribution | null, step: number): void {
    const key = removedKey(block.key);
    const marks: HistoryMark[] = [];
    for (const [part, text] of textsOf(block)) {
      if (text === '') continue;
      marks.push({ type: 'text', part, from: 0, to: text.length, step, look: this.#look('removed', contribution) });
    }
    this.#marks.set(key, marks);
    this.#blockLooks.set(key, { sign: 'removed', dye: this.#saysWho(contribution).dye });
    if (contribution !== null) this.#notes.set(key, this.#noteOf(contribution));
  }

  changedBlock(
    block: Block,
    change: ChangedBlock,
    marks: readonly ChangeMark[],
    contribution: Contribution | null,
  ): void {
    const drawn: HistoryMark[] = [];
    for (const mark of marks) {
      if (mark.type === 'text') drawn.push(...this.#written(block.key, change, mark));
      else if (mark.type === 'gone') drawn.push(this.#gone(block.key, mark));
    }
    this.#marks.set(block.key, drawn);
    const sign = signOf(change);
    const author = this.#firstAuthor(block) ?? contribution;
    if (sign !== null)
      this.#blockLooks.set(block.key, { sign, dye: this.#saysWho(sign === 'added' ? author : contribution).dye });
    const noted = change.before === null ? author : contribution;
    if (noted !== null) this.#notes.set(block.key, this.#noteOf(noted));
  }

  /** One mark for each author of the words. */
  #written(key: string, change: ChangedBlock, mark: TextMark): readonly HistoryMark[] {
    const isAdded = change.before === null || isInserted(textChangesIn(change, mark.part), mark.from);
    const ranges = this.#found.authors.get(key)?.get(mark.part) ?? [];
    if (!isAdded) return [this.#marked(mark, 'formatted', this.#found.blockContributions.get(key) ?? null)];
    const within = rangesIn(ranges, mark.from, mark.to);
    if (within.length === 0) return [this.#marked(mark, 'added', null)];
    return within.map(({ from, to, contribution }) => this.#marked({ ...mark, from, to }, 'added', contribution));
  }

  #marked(mark: TextMark, kind: TextLook['kind'], contribution: Contribution | null): HistoryMark {
    return { ...mark, look: this.#look(kind, contribution) };
  }

  #gone(key: string, mark: Extract<ChangeMark, { readonly type: 'gone' }>): HistoryMark {
    const contribution = this.#found.removals.get(key)?.get(mark.part)?.[mark.removal] ?? null;
    return { ...mark, look: this.#look('removed', contribution) };
  }

  #look(kind: TextLook['kind'], contribution: Contribution | null): TextLook {
    const { says, dye } = this.#saysWho(contribution);
    return { kind, dye, says: `${this.#isBackwards ? BACKWARDS[kind] : VERBS[kind]} by ${says}` };
  }

  #firstAuthor(block: Block): Contribution | null {
    const parts = this.#found.authors.get(block.key);
    const [first] = parts?.get(OWN_TEXT) ?? Array.from(parts?.values() ?? []).flat();
    return first?.contribution ?? null;
  }
}

const BACKWARDS = {
  added: 'Removed later; written',
  removed: 'Added later',
  formatted: 'Formatted later',
  written: 'Written',
} as const;
const VERBS = { added: 'Added', removed: 'Removed', formatted: 'Formatted', written: 'Written' } as const;

function signOf({ before, isMoved, attributes, removedCells }: ChangedBlock): BlockLook['sign'] | null {
  if (before === null) return 'added';
  if (isMoved) return 'moved';
  return attributes.length + removedCells.length > 0 ? 'changed' : null;
}

const isInserted = (changes: TextChanges | null, at: number): boolean =>
  changes?.inserted.some(({ from, to }) => from <= at && at < to) ?? false;

/** The parts of the ranges between `from` and `to`. Neighbours by the same author are one, with the newer contribution. */
export function rangesIn(ranges: readonly AuthoredRange[], from: number, to: number): readonly AuthoredRange[] {
  const found: AuthoredRange[] = [];
  for (const range of ranges) {
    const [start, end] = [Math.max(range.from, from), Math.min(range.to, to)];
    if (start >= end) continue;
    const last = found.at(-1);
    if (last !== undefined && last.to === start && last.contribution.by === range.contribution.by)
      found[found.length - 1] = { ...last, to: end, contribution: newer(last.contribution, range.contribution) };
    else found.push({ from: start, to: end, contribution: range.contribution });
  }
  return found;
}

const newer = (one: Contribution, other: Contribution): Contribution => (one.seq > other.seq ? one : other);
