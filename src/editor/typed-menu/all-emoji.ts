// The list of all emoji with their names. It is large, so it loads when someone first looks for one.
import type { Gemoji } from 'gemoji';
import { recentChoices } from './recent-choices.ts';

let all: readonly Gemoji[] | null = null;
let isLoading = false;

export const recentEmoji = recentChoices('weft.recent-emoji');

/** Null until it is loaded. */
export const allEmoji = (): readonly Gemoji[] | null => all;

/** `then` runs once it is loaded. Further calls do nothing, unless loading failed. */
export function loadEmoji(then: () => void): void {
  if (isLoading) return;
  isLoading = true;
  void import('gemoji').then(
    ({ gemoji }) => {
      all = gemoji;
      then();
    },
    // Offline and never loaded before: the next call tries again.
    () => {
      isLoading = false;
    },
  );
}
