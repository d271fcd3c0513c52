// Replaces what was typed for a menu with a text, optionally with a mark, in one transaction.
import type { Editor } from '@tiptap/core';
import type { Mark } from '@tiptap/pm/model';
import type { TypedRange } from './typed-range.ts';

/** Adds a space unless one follows already, so that the user can write on. */
export function replaceTyped({ state, view }: Editor, { from, to }: TypedRange, text: string, mark: Mark | null): void {
  const marks = state.doc.resolve(from + 1).marks();
  const isFollowed = /^[\s.,;:!?)\]]/.test(state.doc.textBetween(to, Math.min(to + 1, state.doc.resolve(to).end())));
  const word = state.schema.text(text, mark === null ? marks : mark.addToSet(marks));
  const transaction = state.tr.replaceWith(from, to, word);
  if (!isFollowed) transaction.insert(from + text.length, state.schema.text(' ', marks));
  if (mark !== null) transaction.removeStoredMark(mark.type);
  view.dispatch(transaction.scrollIntoView());
}
