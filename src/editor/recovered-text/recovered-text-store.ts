// Stores recovered text in localStorage, which is small and available synchronously when a page opens. If the browser
// stores nothing, it lasts as long as the tab.
import type { Cancel } from '../../lib/cancel.ts';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { type RecoveredTextEntry, type RecoveredTextStore, parseRecoveredTexts } from './recovered-texts.ts';

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
    watch: onChange,
  };
}

export type RecoveredTextOfPage = { readonly document: DocumentId; readonly entries: readonly RecoveredTextEntry[] };

/** All recovered text of a user on this device, by page. `get` returns the same object as long as nothing changes. */
export function recoveredTextOnDevice(person: string): {
  readonly get: () => readonly RecoveredTextOfPage[];
  readonly subscribe: (run: () => void) => Cancel;
} {
  const prefix = `${RECOVERED_TEXT_PREFIX}${person}:`;
  let before: { readonly texts: string; readonly pages: readonly RecoveredTextOfPage[] } = { texts: '', pages: [] };
  return {
    get() {
      const texts = namesOf(prefix).map((name) => [name, readText(name)] as const);
      const now = JSON.stringify(texts);
      if (now === before.texts) return before.pages;
      const pages = texts.flatMap(([name, text]) => {
        const document = parseDocumentId(name.slice(prefix.length));
        const entries = parseRecoveredTexts(text);
        return document === null || entries.length === 0 ? [] : [{ document, entries }];
      });
      before = { texts: now, pages };
      return pages;
    },
    subscribe: onChange,
  };
}

/** Called at sign-out, so that none of the user's text stays on the device. */
export function forgetRecoveredText(person: string): void {
  for (const name of namesOf(`${RECOVERED_TEXT_PREFIX}${person}:`)) {
    inMemory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // Without storage nothing was stored.
    }
  }
  changes.dispatchEvent(new Event('change'));
}

function readText(name: string): string | null {
  try {
    return inMemory.get(name) ?? localStorage.getItem(name);
  } catch {
    return inMemory.get(name) ?? null;
  }
}

function namesOf(prefix: string): readonly string[] {
  const names = new Set(inMemory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name);
  } catch {
    // Without storage there are only this tab's entries.
  }
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}

function onChange(run: () => void): Cancel {
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
