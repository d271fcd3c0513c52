// Stores recovered text in localStorage, which is small and available synchronously when a page opens. If the browser
// stores nothing, it lasts as long as the tab. The first screen has this file, for the sign-out, so it parses nothing.
import type { Cancel } from '../../lib/cancel.ts';
import type { RecoveredTextStore } from './recovered-texts.ts';

/** Devices have entries under this name from when it was called so. */
export const RECOVERED_TEXT_PREFIX = 'weft-lost-words:';

/** Entries that the browser did not store, by the same names. */
const inMemory = new Map<string, string>();
/** Changes made in this tab; the browser reports those of other tabs. */
const changes = new EventTarget();

export function deviceRecoveredText(person: string): RecoveredTextStore {
  const nameOf = (document: string) => `${RECOVERED_TEXT_PREFIX}${person}:${document}`;
  return {
    read: (document) => readText(nameOf(document)),
    write(document, text) {
      const name = nameOf(document);
      inMemory.delete(name);
      try {
        if (text === null) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
      } catch {
        // Storage is full, or this is a private window: only this tab has them.
        if (text !== null) inMemory.set(name, text);
      }
      changes.dispatchEvent(new Event('change'));
    },
    watch: onRecoveredTextChange,
  };
}

/** Called at sign-out, so that none of the user's text stays on the device. */
export function forgetRecoveredText(person: string): void {
  for (const name of storedNames(`${RECOVERED_TEXT_PREFIX}${person}:`)) {
    inMemory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Without storage nothing was stored.
    }
  }
  changes.dispatchEvent(new Event('change'));
}

export function readText(name: string): string | null {
  try {
    return inMemory.get(name) ?? localStorage.getItem(name);
  } catch {
    return inMemory.get(name) ?? null;
  }
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

/** Calls `run` when this tab or another one writes. */
export function onRecoveredTextChange(run: () => void): Cancel {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(RECOVERED_TEXT_PREFIX)) run();
  };
  addEventListener('storage', onStorage);
  changes.addEventListener('change', run);
  return () => {
    removeEventListener('storage', onStorage);
    changes.removeEventListener('change', run);
  };
}
