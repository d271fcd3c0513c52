// Puts the focus among the comments.
import type { TiptapEditorHTMLElement } from '@tiptap/core';
import { idOfCard } from '../../editor/comments/id-of-card.ts';
import type { ThreadId } from '../../protocol/ids.ts';

/** Onto the first of these cards that is there, else the button in the bar. For when what had the focus is gone. */
export function passFocus(threads: readonly ThreadId[]): void {
  const cards = threads.map((id) => document.getElementById(idOfCard(id)));
  const place = cards.find((card) => card !== null) ?? document.querySelector<HTMLElement>('.comments-button');
  place?.focus({ preventScroll: true });
}

/** Into the field for a reply; a resolved thread has none. */
export function focusReply(thread: ThreadId): void {
  const card = document.getElementById(idOfCard(thread));
  const field = card?.querySelector<TiptapEditorHTMLElement>('[data-look="reply"] .comment-field');
  // The editor's own `focus` sets the caret at once; after that of the element it follows 20 ms later, after a fast key.
  if (field?.editor) field.editor.view.focus();
  else card?.focus({ preventScroll: true });
}

/** Onto the button that says which threads are listed: the one that cleared the filter goes. */
export const focusFilter = (): void => document.querySelector<HTMLElement>('.comments-filter > button')?.focus();
