// The changes between two moments of a page, block by block. The result is bounded (`MAX_CHANGES`, `MAX_TEXT`), however large
// the page and the change are: it may wait in a queue for a slow reader (`weft watch`).
import { equalEnds } from '../../lib/lists/equal-ends.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Block } from '../blocks/block.ts';
import { textChange } from '../title.ts';
import { textOfBlocks } from './body-text.ts';

export type BlockChange = {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  /** The block's id; null if it has none. */
  readonly block: string | null;
  /** Such as `paragraph`, `heading`, `table`. */
  readonly type: string;
  /** The beginning of the block's text; for a removed block as it was. */
  readonly text: string;
  /** The removed and the inserted text; both empty if only the look or the place changed. At most `MAX_TEXT` characters of each. */
  readonly removed: string;
  readonly inserted: string;
};

/** `more` changes were left out. */
export type BlockChanges = { readonly changes: readonly BlockChange[]; readonly more: number };

export const MAX_CHANGES = 500;
export const MAX_TEXT = 10_000;
export const MAX_BEGINNING = 200;

/** Both lists come from one `pageContentOf`, so an unchanged block is the same object. */
export function blockChanges(before: readonly Block[], after: readonly Block[]): BlockChanges {
  const [start, end] = equalEnds(before.length, after.length, (one, other) => before[one] === after[other]);
  const [gone, come] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const goneByKey = new Map(gone.map((block) => [block.key, block]));
  const comeKeys = new Set(come.map(({ key }) => key));
  /** Moving a block makes a copy with the same id and deletes the block. */
  const movedById = new Map(
    gone.flatMap((block) => (block.id === null || comeKeys.has(block.key) ? [] : [[block.id, block] as const])),
  );
  const changes: BlockChange[] = [];
  const moved = new Set<Block>();
  let more = 0;
  const add = (kind: BlockChange['kind'], was: Block | null, is: Block | null) => {
    if (changes.length < MAX_CHANGES) changes.push(change(kind, was, is));
    else more += 1;
  };
  for (const block of come) {
    const same = goneByKey.get(block.key);
    const origin = same === undefined && block.id !== null ? movedById.get(block.id) : undefined;
    if (same !== undefined) {
      if (same !== block) add('changed', same, block);
    } else if (origin !== undefined && !moved.has(origin)) {
      moved.add(origin);
      add('moved', origin, block);
    } else add('added', null, block);
  }
  for (const block of gone) if (!comeKeys.has(block.key) && !moved.has(block)) add('removed', block, null);
  return { changes, more };
}

function change(kind: BlockChange['kind'], was: Block | null, is: Block | null): BlockChange {
  const shown = is ?? was;
  const [old, now] = [was === null ? '' : wordsOfBlock(was), is === null ? '' : wordsOfBlock(is)];
  const { removed, inserted } = replacedWords(old, now);
  return {
    kind,
    block: shown?.id ?? null,
    type: shown === null ? '' : shown.type === 'block' ? shown.kind : shown.type,
    text: cut(is === null ? old : now, MAX_BEGINNING),
    removed: cut(removed, MAX_TEXT),
    inserted: cut(inserted, MAX_TEXT),
  };
}

export const wordsOfBlock = (block: Block): string => (block.type === 'unknown' ? block.text : textOfBlocks([block]));

/** Characters inside of a word that were replaced stand for the whole word: “silk” came for “milk”, not “s” for “m”. */
export function replacedWords(before: string, after: string): { readonly removed: string; readonly inserted: string } {
  const { index, remove, insert } = textChange(before, after);
  if (remove === 0 || insert === '') return { removed: before.slice(index, index + remove), inserted: insert };
  const isInWord = (at: number) => /[\p{L}\p{M}\p{N}]/u.test(before.charAt(at));
  let [from, to] = [index, index + remove];
  while (from > 0 && index - from < MAX_BEGINNING && isInWord(from - 1)) from--;
  while (to < before.length && to - index - remove < MAX_BEGINNING && isInWord(to)) to++;
  const [head, tail] = [before.slice(from, index), before.slice(index + remove, to)];
  return { removed: before.slice(from, to), inserted: `${head}${insert}${tail}` };
}

/** A string of its own: a slice would keep all of a text of megabytes in memory. */
function cut(text: string, length: number): string {
  return Array.from(cutText(text, length)).join('').toWellFormed();
}
