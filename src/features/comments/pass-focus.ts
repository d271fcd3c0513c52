// Puts the focus among the comments.
import { idOfCard } from '../../editor/comments/id-of-card.ts';
import type { ThreadId } from '../../protocol/ids.ts';

/** Its place is gone: it goes to the first card that is there, else to the button in the bar. */
export function passFocus(threads: readonly ThreadId[]): void {
  const cards = threads.map((id) => document.getElementById(idOfCard(id)));
  const place = cards.find((card) => card !== null) ?? document.querySelector<HTMLElement>('.comments-button');
  place?.focus({ preventScroll: true });
}

/** Into the field for a reply; a resolved thread has none. */
export function focusReply(thread: ThreadId): void {
  const card = document.getElementById(idOfCard(thread));
  (card?.querySelector<HTMLElement>('[data-look="reply"] .comment-field') ?? card)?.focus({ preventScroll: true });
}
