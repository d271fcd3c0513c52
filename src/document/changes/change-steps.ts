// The changes of a page as steps that a reader goes through, and as marks on its blocks. Views draw them.
import { counted } from '../../lib/text/counted.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { type Block, textOfRuns } from '../blocks/block.ts';
import { textOfBlock } from './block-parts.ts';
import type { AttributeChange, ChangedBlock, PageChanges, RemovedBlocks, TextChanges } from './page-changes.ts';
import { OWN_TEXT, type TextPart, cellPart, textsOf } from './text-part.ts';

/** Offsets are UTF-16 units in the text of `part`. `step` is the index of the step it belongs to. */
export type ChangeMark =
  | {
      readonly type: 'text';
      readonly part: TextPart;
      readonly from: number;
      readonly to: number;
      readonly step: number;
    }
  | {
      readonly type: 'gone';
      readonly part: TextPart;
      readonly at: number;
      /** The index among the texts that were removed from the part. */
      readonly removal: number;
      readonly text: string;
      readonly words: number;
      readonly step: number;
    }
  | { readonly type: 'block'; readonly step: number }
  | {
      readonly type: 'goneBlocks';
      /** They stood at the end of the page, below the marked block. Otherwise they stood above it. */
      readonly isAfter: boolean;
      readonly text: string;
      readonly words: number;
      readonly blocks: number;
      readonly step: number;
    };

export type ChangeStep = {
  /** The block of the step: the first removed one if nothing is left of the page. */
  readonly key: string;
  /** The screen reader's announcement. */
  readonly says: string;
};

export type ChangeSteps = {
  readonly steps: readonly ChangeStep[];
  /** There are more changes than steps; the rest are not marked. */
  readonly isCut: boolean;
  /** By block. */
  readonly marks: ReadonlyMap<string, readonly ChangeMark[]>;
  /** The texts on which the marks are, by block and part. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<TextPart, string>>;
};

/** Marks on 20,000 lines cost seconds to draw, and no one goes through more than this. */
const MAX_STEPS = 500;
const MAX_SPOKEN = 120;
/** This much of a removed text can be read. */
const MAX_GONE_UNITS = 10_000;

export function changeSteps({ blocks, removed }: PageChanges, after: readonly Block[]): ChangeSteps {
  const steps: ChangeStep[] = [];
  const marks = new Map<string, ChangeMark[]>();
  const texts = new Map<string, ReadonlyMap<TextPart, string>>();
  const changeOf = new Map(blocks.map((change) => [change.key, change]));
  const removedBefore = new Map(removed.map((group) => [group.next, group]));
  let isCut = false;
  /** Null if there are enough steps already. */
  const addStep = (key: string, says: string): number | null => {
    isCut ||= steps.length >= MAX_STEPS;
    return isCut ? null : steps.push({ key, says }) - 1;
  };
  const addMark = (block: Block, mark: ChangeMark) => {
    const known = marks.get(block.key);
    if (known === undefined) marks.set(block.key, [mark]);
    else known.push(mark);
    if (!texts.has(block.key)) texts.set(block.key, textsOf(block));
  };
  const addRemoved = (group: RemovedBlocks | undefined, block: Block | undefined, isAfter: boolean) => {
    const key = (block ?? group?.blocks[0])?.key;
    if (group === undefined || key === undefined) return;
    const text = group.blocks.map(textOfBlock).join('\n');
    const step = addStep(key, `Removed ${counted(group.blocks.length, 'block')}: ${quoted(text)}`);
    if (step === null || block === undefined) return;
    const { words } = group;
    addMark(block, { type: 'goneBlocks', isAfter, text: goneText(text), words, blocks: group.blocks.length, step });
  };

  /** New blocks one after the other are one step. */
  let addedStep: number | null = null;
  for (const block of after) {
    addRemoved(removedBefore.get(block.key), block, false);
    const change = changeOf.get(block.key);
    if (change?.before !== null) addedStep = null;
    if (change === undefined) continue;
    if (change.before === null) {
      const step: number | null = addedStep ?? addStep(block.key, `Added: ${quoted(textOfBlock(block))}`);
      addedStep = step;
      if (step !== null) for (const mark of addedMarks(block, step)) addMark(block, mark);
      continue;
    }
    for (const { says, marksOf } of changesIn(change, block)) {
      const step = addStep(block.key, says);
      if (step !== null) for (const mark of marksOf(step)) addMark(block, mark);
    }
  }
  addRemoved(removedBefore.get(null), after.at(-1), true);
  return { steps, isCut, marks, texts };
}

function addedMarks(block: Block, step: number): readonly ChangeMark[] {
  if (block.type !== 'block') return [{ type: 'block', step }];
  const text = textOfRuns(block.runs);
  return text.trim() === ''
    ? [{ type: 'block', step }]
    : [{ type: 'text', part: OWN_TEXT, ...trimmed(text, 0, text.length), step }];
}

type FoundChange = { readonly says: string; readonly marksOf: (step: number) => readonly ChangeMark[] };

function changesIn(change: ChangedBlock, block: Block): readonly FoundChange[] {
  const texts = textsOf(block);
  const whole = wholeBlockChange(change, block);
  const inText = change.text === null ? [] : textChanges(change.text, OWN_TEXT, texts.get(OWN_TEXT) ?? '');
  const inCells = change.cells.flatMap(({ row, column, text }) => {
    const part = cellPart(row, column);
    return textChanges(text, part, texts.get(part) ?? '');
  });
  return [...(whole === null ? [] : [whole]), ...inText, ...inCells];
}

function wholeBlockChange({ isMoved, attributes, removedCells }: ChangedBlock, block: Block): FoundChange | null {
  const said = [
    ...(isMoved ? ['Moved'] : []),
    ...attributeWords(attributes),
    ...(removedCells.length > 0 ? [`Removed ${counted(removedCells.length, 'cell')}`] : []),
  ];
  if (said.length === 0) return null;
  return { says: `${said.join(', ')}: ${quoted(textOfBlock(block))}`, marksOf: (step) => [{ type: 'block', step }] };
}

function attributeWords(attributes: readonly AttributeChange[]): readonly string[] {
  const words = attributes.map(({ name, before, after }) => {
    if (name === 'checked') return after === true ? 'Ticked' : 'Unticked';
    if (name === 'indent') return Number(after) > Number(before) ? 'Indented' : 'Outdented';
    if (name === 'kind') return `Turned into ${String(after)}`;
    return name === 'tex' ? 'Changed formula' : 'Changed';
  });
  // A heading that becomes a task gets a tick and loses a level: that is one change.
  const kind = words.find((word) => word.startsWith('Turned'));
  return kind === undefined ? Array.from(new Set(words)) : [kind];
}

/** A removal and an insertion at one place are one change. */
function textChanges(
  { inserted, removed, formatted }: TextChanges,
  part: TextPart,
  text: string,
): readonly FoundChange[] {
  const goneAt = new Map(removed.map((one, removal) => [one.at, { ...one, removal }]));
  const found: { readonly at: number; readonly change: FoundChange }[] = [];
  for (const range of inserted) {
    const { from, to } = trimmed(text, range.from, range.to);
    // Only spaces are new. What was removed in their place is a change of its own.
    if (from === to) continue;
    const removal = goneAt.get(range.from);
    const gone = removal?.text.trim() === '' ? undefined : removal;
    goneAt.delete(range.from);
    const now = quoted(text.slice(from, to));
    const says = gone === undefined ? `Added: ${now}` : `Replaced ${quoted(gone.text)} with ${now}`;
    found.push({
      at: range.from,
      change: {
        says,
        marksOf: (step) => [
          ...(gone === undefined ? [] : [goneMark(gone, part, from, step)]),
          { type: 'text', part, from, to, step },
        ],
      },
    });
  }
  for (const gone of goneAt.values()) {
    if (gone.text.trim() === '') continue;
    const change: FoundChange = {
      says: `Removed: ${quoted(gone.text)}`,
      marksOf: (step) => [goneMark(gone, part, gone.at, step)],
    };
    found.push({ at: gone.at, change });
  }
  for (const { from, to } of formatted) {
    const change: FoundChange = {
      says: `Formatted: ${quoted(text.slice(from, to))}`,
      marksOf: (step) => [{ type: 'text', part, from, to, step }],
    };
    found.push({ at: from, change });
  }
  return found.sort((a, b) => a.at - b.at).map(({ change }) => change);
}

const goneMark = (
  { text, words, removal }: { readonly text: string; readonly words: number; readonly removal: number },
  part: TextPart,
  at: number,
  step: number,
): ChangeMark => ({ type: 'gone', part, at, removal, text: goneText(text), words, step });

const goneText = (text: string): string => cutText(text, MAX_GONE_UNITS);

/** Spaces around words are not underlined. */
function trimmed(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const words = text.slice(from, to);
  const start = from + words.length - words.trimStart().length;
  return { from: start, to: Math.max(start, from + words.trimEnd().length) };
}

function quoted(text: string): string {
  const words = text.trim().replaceAll(/\s+/g, ' ');
  return `“${words.length > MAX_SPOKEN ? `${cutText(words, MAX_SPOKEN)}…` : words}”`;
}
