// Compares two tables cell by cell.
import { commonSequence, numbered } from '../../lib/lists/common-sequence.ts';
import type { WorkBudget } from '../../lib/work-budget.ts';
import { type TableBlock, type TableCell, textOfRuns } from '../blocks/block.ts';
import type { CellChange, RemovedCell } from './page-changes.ts';
import { compareRuns, countedWords } from './text-changes.ts';

export type TableChanges = {
  readonly cells: readonly CellChange[];
  readonly removed: readonly RemovedCell[];
  readonly insertedWords: number;
  readonly removedWords: number;
};

export function compareTables(before: TableBlock, after: TableBlock, budget: WorkBudget): TableChanges {
  const oldCellOf = cellMatcher(before, after, budget);
  const cells: CellChange[] = [];
  const kept = new Set<TableCell>();
  let [insertedWords, removedWords] = [0, 0];
  for (const [row, line] of after.rows.entries()) {
    for (const [column, cell] of line.entries()) {
      const old = oldCellOf(cell, row, column);
      if (old !== null) kept.add(old);
      if (old === cell) continue;
      const text = compareRuns(old?.runs ?? [], cell.runs, budget);
      const { insertedWords: more, removedWords: less, ...changes } = text;
      insertedWords += more;
      removedWords += less;
      if (old === null || changes.inserted.length + changes.removed.length + changes.formatted.length > 0)
        cells.push({ row, column, isNew: old === null, text: changes });
    }
  }
  const removed = before.rows.flat().flatMap((cell): readonly RemovedCell[] => {
    if (kept.has(cell)) return [];
    const text = textOfRuns(cell.runs);
    return [{ text, words: countedWords(text) }];
  });
  return {
    cells,
    removed,
    insertedWords,
    removedWords: removed.reduce((sum, { words }) => sum + words, removedWords),
  };
}

type CellMatcher = (cell: TableCell, row: number, column: number) => TableCell | null;

/** By the cells' keys. Tables that share none, such as one that was pasted over itself, are compared by row and column. */
function cellMatcher(before: TableBlock, after: TableBlock, budget: WorkBudget): CellMatcher {
  const byKey = new Map(before.rows.flat().map((cell) => [cell.key, cell]));
  if (after.rows.some((row) => row.some(({ key }) => byKey.has(key)))) return ({ key }) => byKey.get(key) ?? null;
  const rows = rowMatches(before, after, budget);
  return (_cell, row, column) => before.rows[rows[row] ?? -1]?.[column] ?? null;
}

/** For each new row the index of the old one: rows with the same text, then in order what stands between such rows. */
function rowMatches(before: TableBlock, after: TableBlock, budget: WorkBudget): readonly (number | null)[] {
  const numbers = new Map<string, number>();
  const [one, other] = [before, after].map(({ rows }) =>
    numbered(
      rows.map((row) => row.map(({ runs }) => textOfRuns(runs)).join('\t')),
      numbers,
    ),
  );
  const matches: (number | null)[] = after.rows.map(() => null);
  if (one === undefined || other === undefined) return matches;
  let [at1, at2] = [0, 0];
  const end = { from1: one.length, from2: other.length, length: 0 };
  for (const { from1, from2, length } of [...commonSequence(one, other, budget), end]) {
    while (at1 < from1 && at2 < from2) matches[at2++] = at1++;
    [at1, at2] = [from1, from2];
    for (let n = 0; n < length; n++) matches[at2++] = at1++;
  }
  return matches;
}
