// Blocks outside of a page: pasted, imported or exported. They have no keys and no ids.
import {
  type Block,
  MARKS,
  PLAIN,
  type Run,
  type TableBlock,
  type TextBlock,
  type Unknown,
  parseStyle,
} from './block.ts';

type Detached<T> = T extends unknown ? Omit<T, 'key' | 'id'> : never;

export type DetachedTextBlock = Detached<TextBlock>;
export type DetachedTable = Omit<Detached<TableBlock>, 'rows' | 'widths' | 'alignments'> & {
  readonly widths?: TableBlock['widths'];
  readonly alignments?: TableBlock['alignments'];
  readonly rows: readonly (readonly { readonly runs: readonly Run[] }[])[];
};
/** A block that can be inserted into a page. */
export type DetachedBlock = Detached<Exclude<Block, TableBlock | Unknown>> | DetachedTable;
/**
 * Any block that a page can contain, including nodes that only a newer version knows. Every `Block` is one of these.
 */
export type AnyBlock = DetachedBlock | Detached<Unknown>;

export const textBlock = (
  style: Partial<Omit<DetachedTextBlock, 'type' | 'runs'>>,
  runs: readonly Run[],
): DetachedTextBlock => ({
  type: 'block',
  ...parseStyle({}),
  ...style,
  runs,
});

export const plainRun = (text: string): Run => ({ ...PLAIN, text });

/** The texts of a block, in order; a table has one in each cell. */
export function textsIn(block: AnyBlock): readonly (readonly Run[])[] {
  if (block.type === 'table') return block.rows.flat().map(({ runs }) => runs);
  return 'runs' in block ? [block.runs] : [];
}

/** All text of a block, in order. */
export const runsIn = (block: DetachedBlock): readonly Run[] => textsIn(block).flat();

/** Returns the block with each run changed. */
export function mapRuns(block: DetachedBlock, change: (run: Run) => Run): DetachedBlock {
  if (block.type === 'table') {
    return { ...block, rows: block.rows.map((row) => row.map(({ runs }) => ({ runs: joinRuns(runs.map(change)) }))) };
  }
  return 'runs' in block ? { ...block, runs: joinRuns(block.runs.map(change)) } : block;
}

/** Merges adjacent runs with the same marks and drops empty ones. */
export function joinRuns(runs: readonly Run[]): readonly Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const before = joined.at(-1);
    if (run.text === '') continue;
    if (before !== undefined && hasSameMarks(before, run))
      joined[joined.length - 1] = { ...run, text: before.text + run.text };
    else joined.push(run);
  }
  return joined;
}

const hasSameMarks = (one: Run, other: Run): boolean =>
  one.note === other.note && MARKS.every((mark) => one[mark] === other[mark]);

/** Removes spaces and line breaks at both ends. Those in a code span stay: someone wrote them. */
export function trimRuns(runs: readonly Run[]): readonly Run[] {
  const isBlank = (run: Run | undefined) => run !== undefined && !run.code && run.text.trim() === '';
  let [from, to] = [0, runs.length];
  while (from < to && isBlank(runs[from])) from++;
  while (to > from && isBlank(runs[to - 1])) to--;
  return runs.slice(from, to).map((run, at, trimmed) => {
    if (run.code) return run;
    const start = at === 0 ? run.text.trimStart() : run.text;
    return { ...run, text: at === trimmed.length - 1 ? start.trimEnd() : start };
  });
}
