// Replaces what was typed for a menu with a text, optionally with a mark, in one transaction.
import type { Editor } from '@tiptap/core';
import type { Mark } from '@tiptap/pm/model';
import { addSpace } from './added-space.ts';
import type { MenuEntry } from './typed-menu.ts';
import type { TypedRange } from './typed-range.ts';

/** Adds a space, so that the user can write on, unless a space or punctuation follows already. */
export function replaceTyped(
  { state, view }: Editor,
  { from, to }: Pick<TypedRange, 'from' | 'to'>,
  text: string,
  mark: Mark | null,
): void {
  const marks = state.doc.resolve(from + 1).marks();
  const isFollowed = /^[\s.,;:!?)\]]/.test(state.doc.textBetween(to, Math.min(to + 1, state.doc.resolve(to).end())));
  const word = state.schema.text(text, mark === null ? marks : mark.addToSet(marks));
  const transaction = state.tr.replaceWith(from, to, word);
  if (!isFollowed) addSpace(transaction, from + text.length, marks);
  if (mark !== null) transaction.removeStoredMark(mark.type);
  view.dispatch(transaction.scrollIntoView());
}

/** An entry that inserts its text with a mark. */
export const insertMarked =
  (text: string, mark: string, attributes: Readonly<Record<string, string>>): NonNullable<MenuEntry['apply']> =>
  (editor, range) =>
    replaceTyped(editor, range, text, editor.schema.mark(mark, attributes));
