// The removed words that "Restore these words" brings back: those of the change that the reader is at.
import { type RemovedWords, isOnlyRemoval, removedWords } from 'weft-document/history/removed-words.ts';
import type { Found } from '../shown/shown-moment.ts';
import type { ShownPage } from '../shown/shown-page.ts';

/** The row before they were removed. */
export type RestorableWords = { readonly seq: number; readonly words: RemovedWords };

/** Null for a change that removed no words from a block that is still there, and for words that came later. */
export function restorableWords(
  found: Found | null,
  { marks }: Pick<ShownPage, 'marks'>,
  key: string,
  step: number | null,
): RestorableWords | null {
  if (found?.mode !== 'changes' || found.request.from >= found.request.seq) return null;
  const { changes, page, before } = found.changes;
  const mark = marks.get(key)?.find((one) => one.type === 'gone' && one.step === step);
  const change = changes.blocks.find((one) => one.key === key);
  const after = page.blocks.find((block) => block.key === key);
  const old = before.blocks.find((block) => block.key === change?.before);
  if (mark?.type !== 'gone' || change === undefined || after === undefined || old === undefined) return null;
  const words = removedWords(change, { before: old, after }, mark.part, mark.removal);
  return words === null ? null : { seq: found.request.from, words };
}

/** On the present page, restoring the block would give the same as restoring its words. */
export function isSameAsBlock(found: Found | null, key: string, head: number): boolean {
  if (found?.mode !== 'changes' || found.request.seq < head) return false;
  const change = found.changes.changes.blocks.find((one) => one.key === key);
  return change !== undefined && isOnlyRemoval(change);
}
