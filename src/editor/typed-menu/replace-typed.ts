// Puts a word, with a mark or without, in the place of what was typed for a menu. One transaction.
import type { Editor } from '@tiptap/core';
import type { Mark } from '@tiptap/pm/model';
import type { TypedRange } from './typed-range.ts';

/** A space follows, unless one stands there, so that the person writes on at once. */
export function replaceTyped({ state, view }: Editor, { from, to }: TypedRange, text: string, mark: Mark | null): void {
  const marks = state.doc.resolve(from + 1).marks();
  const isFollowed = /^[\s.,;:!?)\]]/.test(state.doc.textBetween(to, Math.min(to + 1, state.doc.resolve(to).end())));
  const word = state.schema.text(text, mark === null ? marks : mark.addToSet(marks));
  const transaction = state.tr.replaceWith(from, to, word);
  if (!isFollowed) transaction.insert(from + text.length, state.schema.text(' ', marks));
  if (mark !== null) transaction.removeStoredMark(mark.type);
  view.dispatch(transaction.scrollIntoView());
}
