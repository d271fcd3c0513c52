// Compares two states of a page by content: blocks by identity and likeness, texts by word, tables by cell. Its cost is
// bounded whatever the pages hold; above that bound the differences it names are coarser, never wrong.
import { WorkBudget } from '../../lib/work-budget.ts';
import type { Block } from '../blocks/block.ts';
import { attributeChanges, runsOfBlock, textOfBlock } from './block-parts.ts';
import { type Matches, matchBlocks, outOfOrder } from './match-blocks.ts';
import type { ChangedBlock, PageChanges, RemovedBlocks } from './page-changes.ts';
import { compareTables } from './table-changes.ts';
import { compareRuns, countedWords } from './text-changes.ts';

export function comparePages(
  before: readonly Block[],
  after: readonly Block[],
  budget: WorkBudget = new WorkBudget(),
): PageChanges {
  const matches = matchBlocks(before, after, budget);
  const moved = movedBlocks(matches);
  const blocks: ChangedBlock[] = [];
  let [insertedWords, removedWords] = [0, 0];
  for (const [at, block] of after.entries()) {
    const compared = compareBlocks(before[matches[at] ?? -1] ?? null, block, moved.has(at), budget);
    if (compared === null) continue;
    insertedWords += compared.insertedWords;
    removedWords += compared.removedWords;
    blocks.push(compared.change);
  }
  const removed = removedBlocks(before, after, matches, moved);
  return {
    blocks,
    removed,
    insertedWords,
    removedWords: removed.reduce((sum, { words }) => sum + words, removedWords),
  };
}

/** The indexes in the new page of blocks that were there before, but in another order. */
function movedBlocks(matches: Matches): ReadonlySet<number> {
  const kept = matches.flatMap((old, at) => (old === null ? [] : [{ old, at }]));
  const places = outOfOrder(kept.map(({ old }) => old));
  return new Set(kept.flatMap(({ at }, index) => (places.has(index) ? [at] : [])));
}

type Compared = { readonly change: ChangedBlock; readonly insertedWords: number; readonly removedWords: number };

function compareBlocks(before: Block | null, after: Block, isMoved: boolean, budget: WorkBudget): Compared | null {
  if (before === after && !isMoved) return null;
  const attributes = before === null ? [] : attributeChanges(before, after);
  const runs = runsOfBlock(after);
  const text = runs && compareRuns((before && runsOfBlock(before)) ?? [], runs, budget);
  const table =
    after.type === 'table'
      ? compareTables(before?.type === 'table' ? before : { ...after, rows: [] }, after, budget)
      : null;
  const change: ChangedBlock = {
    key: after.key,
    before: before?.key ?? null,
    isMoved,
    attributes,
    text: text && { inserted: text.inserted, removed: text.removed, formatted: text.formatted },
    cells: table?.cells ?? [],
    removedCells: table?.removed ?? [],
  };
  if (before !== null && isUnchanged(change)) return null;
  return {
    change,
    insertedWords: (text?.insertedWords ?? 0) + (table?.insertedWords ?? 0),
    removedWords: (text?.removedWords ?? 0) + (table?.removedWords ?? 0),
  };
}

const isUnchanged = ({ isMoved, attributes, text, cells, removedCells }: ChangedBlock): boolean =>
  !isMoved &&
  attributes.length + cells.length + removedCells.length === 0 &&
  (text === null || text.inserted.length + text.removed.length + text.formatted.length === 0);

/** The removed blocks, each group in front of the first later block that kept its place. */
function removedBlocks(
  before: readonly Block[],
  after: readonly Block[],
  matches: Matches,
  moved: ReadonlySet<number>,
): readonly RemovedBlocks[] {
  const newIndexes = new Map(matches.flatMap((old, at) => (old === null ? [] : [[old, at] as const])));
  const groups: RemovedBlocks[] = [];
  let next: string | null = null;
  let group: Block[] = [];
  const finish = () => {
    if (group.length > 0) {
      const words = group.reduce((sum, block) => sum + countedWords(textOfBlock(block)), 0);
      groups.push({ next, blocks: group.toReversed(), words });
    }
    group = [];
  };
  for (let old = before.length - 1; old >= 0; old--) {
    const block = before[old];
    const at = newIndexes.get(old);
    if (block === undefined) continue;
    if (at === undefined) group.push(block);
    else if (!moved.has(at)) {
      finish();
      next = after[at]?.key ?? null;
    }
  }
  finish();
  return groups.toReversed();
}
