// The title: a Y.Text changed by small differences, so that two people may type in it at once.
import { simpleDiffString } from 'lib0/diff';
import type * as Y from 'yjs';
import { MAX_TITLE_LENGTH } from '../protocol/limits.ts';
import { titleOf } from './names.ts';

/** Origin of own edits of the title: undo tracks it. */
export const TITLE_ORIGIN = { origin: 'title' } as const;

/** One line, at most 200 characters as Postgres counts them (code points). */
export function cleanTitle(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return Array.from(line).slice(0, MAX_TITLE_LENGTH).join('');
}

/** The title as lists show it, without its outer spaces; empty when there is none. */
export const titleText = (doc: Y.Doc): string => cleanTitle(titleOf(doc).toString()).trim();

export type TextChange = { readonly index: number; readonly remove: number; readonly insert: string };

/** The change from one text to the other, never through the middle of a surrogate pair. */
export const textChange = (before: string, after: string): TextChange => simpleDiffString(before, after);

/** Writes one change of the title as an own edit; nothing when it changes nothing. */
export function changeTitle(doc: Y.Doc, { index, remove, insert }: TextChange): void {
  if (remove === 0 && insert === '') return;
  const title = titleOf(doc);
  doc.transact(() => {
    if (remove > 0) title.delete(index, remove);
    if (insert !== '') title.insert(index, insert);
  }, TITLE_ORIGIN);
}

/** Where a place in a text stands after somebody else's change of it. */
export function mapIndex(index: number, change: TextChange): number {
  if (index <= change.index) return index;
  if (index <= change.index + change.remove) return change.index + change.insert.length;
  return index - change.remove + change.insert.length;
}
