// The device's shelf for lost words: localStorage, small and there at once when a page opens. Where a browser keeps
// nothing, they last as long as the tab.
import type { LostWordsShelf } from './lost-list.ts';

export const LOST_PREFIX = 'weft-lost-words:';

export function deviceShelf(person: string): LostWordsShelf {
  const inMemory = new Map<string, string>();
  const nameOf = (document: string) => `${LOST_PREFIX}${person}:${document}`;
  return {
    read(document) {
      try {
        return localStorage.getItem(nameOf(document)) ?? inMemory.get(document) ?? null;
      } catch {
        return inMemory.get(document) ?? null;
      }
    },
    write(document, text) {
      if (text === null) inMemory.delete(document);
      else inMemory.set(document, text);
      try {
        if (text === null) localStorage.removeItem(nameOf(document));
        else localStorage.setItem(nameOf(document), text);
      } catch {
        // Full, or a private window: this tab has them.
      }
    },
  };
}

/** A sign-out leaves none of a person's words on the device. */
export function forgetLostWords(person: string): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`${LOST_PREFIX}${person}:`));
    for (const name of names) localStorage.removeItem(name);
  } catch {
    // No storage, nothing kept.
  }
}
