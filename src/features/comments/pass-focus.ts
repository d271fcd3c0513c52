// Where the focus goes when its place among the comments is gone: into the first card that is there, else to the button in the bar.
import { idOfCard } from '../../editor/comments/id-of-card.ts';
import type { ThreadId } from '../../protocol/ids.ts';

export function passFocus(threads: readonly ThreadId[]): void {
  const cards = threads.map((id) => document.getElementById(idOfCard(id)));
  const place = cards.find((card) => card !== null) ?? document.querySelector<HTMLElement>('.comments-button');
  place?.focus({ preventScroll: true });
}
