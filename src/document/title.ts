// The title: a Y.Text that is changed by small differences, so that two people can type in it at once.
import { simpleDiffString } from 'lib0/diff';
import * as Y from 'yjs';
import { cutText } from '../lib/text/cut-text.ts';
import { MAX_TITLE_LENGTH } from '../protocol/limits.ts';
import { titleOf } from './names.ts';

/** The origin of local title edits. Undo tracks it. */
export const TITLE_ORIGIN = { origin: 'title' } as const;

/**
 * How much of a title is read, in UTF-16 units. A title has at most 200 characters, and a few times that if several
 * people type at once. A hostile person can write a million, which takes the browser 200 ms of layout in the title's
 * field alone.
 */
const MAX_READ_UNITS = 1000;

/** The title as people see and edit it: its beginning. Takes no longer for a title of a million characters. */
export function readTitle(doc: Y.Doc): string {
  let text = '';
  for (let item = titleOf(doc)._start; item !== null && text.length < MAX_READ_UNITS; item = item.right) {
    if (!item.deleted && item.content instanceof Y.ContentString) text += item.content.str;
  }
  return beginning(text);
}

/** The part of a title that is read. */
export const beginning = (text: string): string => cutText(text, MAX_READ_UNITS);

/** Reduces text to one line of at most 200 code points, which is how Postgres counts them. */
export const cleanTitle = (text: string): string => charactersOf(text).slice(0, MAX_TITLE_LENGTH).join('');

const charactersOf = (text: string): readonly string[] =>
  Array.from(
    beginning(text)
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' '),
  );

/** The title as lists show it: without outer spaces, and empty if there is none. */
export const titleText = (doc: Y.Doc): string => cleanTitle(readTitle(doc)).trim();

export type TextChange = { readonly index: number; readonly remove: number; readonly insert: string };

/** The difference between two texts. It never cuts a surrogate pair in half. */
export const textChange = (before: string, after: string): TextChange => simpleDiffString(before, after);

/**
 * Applies one change to the text that `readTitle` returns, as a local edit. Does nothing if the change is empty. The first
 * change of a title that holds more, such as a rest that is too long or objects, removes the surplus.
 */
export function changeTitle(doc: Y.Doc, change: TextChange): void {
  const { index, remove, insert } = change;
  if (remove === 0 && insert === '') return;
  const title = titleOf(doc);
  const before = readTitle(doc);
  doc.transact(() => {
    if (title.length > before.length) {
      title.delete(0, title.length);
      title.insert(0, applyChange(before, change));
      return;
    }
    if (remove > 0) title.delete(index, remove);
    if (insert !== '') title.insert(index, insert);
  }, TITLE_ORIGIN);
}

/**
 * The change from a title to the typed one, cleaned. Without room for all of it, some of the typed text is left out, wherever
 * it was, and not the end of the title; only a title that was too long before loses its end.
 */
export function fittingChange(title: string, typed: string): { readonly change: TextChange; readonly isCut: boolean } {
  const all = charactersOf(typed).join('');
  const { index, remove, insert } = textChange(title, all);
  const kept = Array.from(applyChange(title, { index, remove, insert: '' })).length;
  const fitting = Array.from(insert)
    .slice(0, Math.max(0, MAX_TITLE_LENGTH - kept))
    .join('');
  const text = cleanTitle(kept > MAX_TITLE_LENGTH ? all : applyChange(title, { index, remove, insert: fitting }));
  return { change: textChange(title, text), isCut: text !== all };
}

export const applyChange = (text: string, { index, remove, insert }: TextChange): string =>
  text.slice(0, index) + insert + text.slice(index + remove);

/** Maps an index in a text across someone else's change to it. */
export function mapIndex(index: number, change: TextChange): number {
  if (index <= change.index) return index;
  if (index <= change.index + change.remove) return change.index + change.insert.length;
  return index - change.remove + change.insert.length;
}

export type TitleRange = readonly [from: number, to: number];

/** Maps a range in a text across someone else's change to it: without what they removed, and around what they inserted. */
export function mapRange([from, to]: TitleRange, { index, remove, insert }: TextChange): readonly TitleRange[] {
  const shift = insert.length - remove;
  const before: TitleRange = [from, Math.min(to, index)];
  const after: TitleRange = [Math.max(from, index + remove) + shift, to + shift];
  return [before, after].filter(([start, end]) => start < end);
}
