// Finds what can be restored of one block in the history: the words that a change removed from it, or the whole block.
import type { Block } from 'weft-document/blocks/block.ts';
import { type RemovedWords, isOnlyRemoval, removedWords } from 'weft-document/history/removed-words.ts';
import { keyBefore } from '../shown/block-parts.ts';
import type { Found } from '../shown/shown-moment.ts';
import type { ShownPage } from '../shown/shown-page.ts';

/** `seq` is the last row with the words. */
type RestorableWords = { readonly seq: number; readonly words: RemovedWords };
/** `seq` is the row at which the block is as it will be restored, `id` its stored id. */
type RestorableBlock = { readonly seq: number; readonly id: string };

/** The words that change number `step` removed from the block. Null if it removed none, or if the block is new or gone. */
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

/** The present page is shown, and restoring the block would give the same as restoring its words. */
export function isSameAsBlock(found: Found | null, key: string, head: number): boolean {
  if (found?.mode !== 'changes' || found.request.seq < head) return false;
  const change = found.changes.changes.blocks.find((one) => one.key === key);
  return change !== undefined && isOnlyRemoval(change);
}

/** The block as shown; if it was removed, or the present page is shown, as it was before the shown changes. */
export function restorableBlock(found: Found | null, key: string, head: number): RestorableBlock | null {
  if (found === null) return null;
  const { seq, from } = found.request;
  const before = found.mode === 'changes' ? found.changes.before.blocks : [];
  const removed = keyBefore(key);
  if (removed !== null) return withId(before, removed, from);
  if (seq < head) return withId(blocksOf(found), key, seq);
  const change = found.mode === 'changes' ? found.changes.changes.blocks.find((one) => one.key === key) : undefined;
  return change?.before == null ? null : withId(before, change.before, from);
}

function blocksOf(found: Found): readonly Block[] {
  if (found.mode === 'changes') return found.changes.page.blocks;
  return found.mode === 'authors' ? found.authored.page.blocks : found.page.blocks;
}

function withId(blocks: readonly Block[], key: string, seq: number): RestorableBlock | null {
  const id = blocks.find((block) => block.key === key)?.id ?? null;
  return id === null ? null : { seq, id };
}
