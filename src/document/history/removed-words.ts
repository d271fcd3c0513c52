// A range of words that someone removed from a text that is still there, with its place in the text before and in the text
// after. Made from the differences between two states of a page.
import type { Block } from '../blocks/block.ts';
import type { ChangedBlock, TextChanges } from '../changes/page-changes.ts';
import { OWN_TEXT, type TextPart, cellPart, textsOf } from '../changes/text-part.ts';

export type RemovedWords = {
  /** The text as it was, in the block with this stored id, and where in it the words stood. */
  readonly before: { readonly id: string; readonly text: string; readonly from: number; readonly to: number };
  /** The text without them. `key` names the element that holds it: the block, or the cell of a table. */
  readonly after: {
    readonly id: string;
    readonly key: string;
    readonly part: TextPart;
    readonly text: string;
    /** The offset at which the words were. */
    readonly at: number;
  };
};

/** `removal` counts the texts that were removed from the part. Null for a block without a stored id. */
export function removedWords(
  change: ChangedBlock,
  { before, after }: { readonly before: Block; readonly after: Block },
  part: TextPart,
  removal: number,
): RemovedWords | null {
  const changes = textChangesIn(change, part);
  const removed = changes?.removed[removal];
  const text = textsOf(after).get(part);
  if (changes === null || removed === undefined || text === undefined) return null;
  if (before.id === null || after.id === null) return null;
  const old = textBefore(text, changes);
  const from = old.starts[removal] ?? 0;
  return {
    before: { id: before.id, text: old.text, from, to: from + removed.text.length },
    after: { id: after.id, key: holderKey(after, part), part, text, at: removed.at },
  };
}

export function textChangesIn(change: ChangedBlock, part: TextPart): TextChanges | null {
  if (part === OWN_TEXT) return change.text;
  return change.cells.find(({ row, column }) => cellPart(row, column) === part)?.text ?? null;
}

/** Only one run of words was removed, so restoring the words and restoring the block give the same. */
export function isOnlyRemoval(change: ChangedBlock): boolean {
  const texts = [...(change.text === null ? [] : [change.text]), ...change.cells.map(({ text }) => text)];
  const count = (of: (text: TextChanges) => readonly unknown[]) => texts.reduce((sum, one) => sum + of(one).length, 0);
  return (
    change.before !== null &&
    !change.isMoved &&
    change.attributes.length + change.removedCells.length === 0 &&
    !change.cells.some(({ isNew }) => isNew) &&
    count(({ removed }) => removed) === 1 &&
    count(({ inserted, formatted }) => [...inserted, ...formatted]) === 0
  );
}

/** The text as it was, and where in it each removed text began. */
export function textBefore(
  text: string,
  { inserted, removed }: Pick<TextChanges, 'inserted' | 'removed'>,
): { readonly text: string; readonly starts: readonly number[] } {
  const kept = (from: number, to: number): string => {
    let words = '';
    let at = from;
    for (const range of inserted) {
      if (range.to <= at || range.from >= to) continue;
      words += text.slice(at, Math.max(at, range.from));
      at = range.to;
    }
    return words + text.slice(at, Math.max(at, to));
  };
  const starts: number[] = [];
  let [before, at] = ['', 0];
  for (const gone of removed) {
    before += kept(at, gone.at);
    starts.push(before.length);
    before += gone.text;
    at = gone.at;
  }
  return { text: before + kept(at, text.length), starts };
}

function holderKey(block: Block, part: TextPart): string {
  if (part === OWN_TEXT || block.type !== 'table') return block.key;
  for (const [y, row] of block.rows.entries())
    for (const [x, cell] of row.entries()) if (cellPart(y, x) === part) return cell.key;
  return block.key;
}

export const removedText = ({ before: { text, from, to } }: RemovedWords): string => text.slice(from, to);
