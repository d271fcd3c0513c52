// The title: a Y.Text that is changed by small differences, so that two people can type in it at once.
import { simpleDiffString } from 'lib0/diff';
import type * as Y from 'yjs';
import { MAX_TITLE_LENGTH } from '../protocol/limits.ts';
import { titleOf } from './names.ts';

/** The origin of local title edits. Undo tracks it. */
export const TITLE_ORIGIN = { origin: 'title' } as const;

/** Reduces text to one line of at most 200 code points, which is how Postgres counts them. */
export function cleanTitle(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return Array.from(line).slice(0, MAX_TITLE_LENGTH).join('');
}

/** The title as lists show it: without outer spaces, and empty if there is none. */
export const titleText = (doc: Y.Doc): string => cleanTitle(titleOf(doc).toString()).trim();

export type TextChange = { readonly index: number; readonly remove: number; readonly insert: string };

/** The difference between two texts. It never cuts a surrogate pair in half. */
export const textChange = (before: string, after: string): TextChange => simpleDiffString(before, after);

/** Applies one change to the title as a local edit. Does nothing if the change is empty. */
export function changeTitle(doc: Y.Doc, { index, remove, insert }: TextChange): void {
  if (remove === 0 && insert === '') return;
  const title = titleOf(doc);
  doc.transact(() => {
    if (remove > 0) title.delete(index, remove);
    if (insert !== '') title.insert(index, insert);
  }, TITLE_ORIGIN);
}

/** Maps an index in a text across somebody else's change to it. */
export function mapIndex(index: number, change: TextChange): number {
  if (index <= change.index) return index;
  if (index <= change.index + change.remove) return change.index + change.insert.length;
  return index - change.remove + change.insert.length;
}
