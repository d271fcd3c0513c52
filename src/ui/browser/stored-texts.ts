// Texts of a person in localStorage, which is small and available synchronously when a page opens. What the browser does not
// store lasts as long as the tab.
import type { Cancel } from '../../lib/cancel.ts';

/** What the names begin with. Recovered text was called “lost words” once, and devices still have it under that name. */
export const STORED_TEXTS = { recoveredText: 'weft-lost-words:', commentDrafts: 'weft-comment-drafts:' } as const;

/** Entries that the browser did not store, by the same names. */
const inMemory = new Map<string, string>();
/** Called with the names that this tab writes; the browser reports those of other tabs. */
const listeners = new Set<(name: string) => void>();

export function readText(name: string): string | null {
  try {
    return inMemory.get(name) ?? localStorage.getItem(name);
  } catch {
    return inMemory.get(name) ?? null;
  }
}

/** Null deletes it. */
export function storeText(name: string, text: string | null): void {
  inMemory.delete(name);
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Storage is full, or this is a private window: only this tab has the text.
    if (text !== null) inMemory.set(name, text);
  }
  for (const listener of listeners) listener(name);
}

/** The names of all stored texts that begin with this. */
export function storedNames(prefix: string): readonly string[] {
  const names = new Set(inMemory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name);
  } catch {
    // Without storage there are only this tab's entries.
  }
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}

/** Called at sign-out, so that none of these texts of the person stays on the device. */
export function forgetTexts(person: string): void {
  for (const prefix of Object.values(STORED_TEXTS)) {
    for (const name of storedNames(`${prefix}${person}:`)) storeText(name, null);
  }
}

/** Calls `run` when this tab or another one writes a text whose name begins with this. */
export function onTextChange(prefix: string, run: () => void): Cancel {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) run();
  };
  const onWrite = (name: string) => {
    if (name.startsWith(prefix)) run();
  };
  addEventListener('storage', onStorage);
  listeners.add(onWrite);
  return () => {
    removeEventListener('storage', onStorage);
    listeners.delete(onWrite);
  };
}
