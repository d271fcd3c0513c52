// The device's shelf for lost words: localStorage, small and there at once when a page opens. Where a browser keeps
// nothing, they last as long as the tab.
import type { Cancel } from '../../lib/cancel.ts';
import { type DocumentId, parseDocumentId } from '../../protocol/ids.ts';
import { type Lost, type LostWordsShelf, parseLost } from './lost-list.ts';

export const LOST_PREFIX = 'weft-lost-words:';

/** What the browser would not keep, under the same names. */
const inMemory = new Map<string, string>();
/** What changes here, for everybody in this tab; other tabs are told by the browser. */
const changes = new EventTarget();

export function deviceShelf(person: string): LostWordsShelf {
  const nameOf = (document: string) => `${LOST_PREFIX}${person}:${document}`;
  return {
    read: (document) => readText(nameOf(document)),
    write(document, text) {
      const name = nameOf(document);
      inMemory.delete(name);
      try {
        if (text === null) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
      } catch {
        // Full, or a private window: this tab has them.
        if (text !== null) inMemory.set(name, text);
      }
      changes.dispatchEvent(new Event('change'));
    },
    watch: onChange,
  };
}

export type LostOnPage = { readonly document: DocumentId; readonly lost: readonly Lost[] };

/** All lost words of a person on this device, page by page. `get` answers the same object as long as nothing changed. */
export function allLost(person: string): {
  readonly get: () => readonly LostOnPage[];
  readonly subscribe: (run: () => void) => Cancel;
} {
  const prefix = `${LOST_PREFIX}${person}:`;
  let before: { readonly texts: string; readonly pages: readonly LostOnPage[] } = { texts: '', pages: [] };
  return {
    get() {
      const texts = namesOf(prefix).map((name) => [name, readText(name)] as const);
      const now = JSON.stringify(texts);
      if (now === before.texts) return before.pages;
      const pages = texts.flatMap(([name, text]) => {
        const document = parseDocumentId(name.slice(prefix.length));
        const lost = parseLost(text);
        return document === null || lost.length === 0 ? [] : [{ document, lost }];
      });
      before = { texts: now, pages };
      return pages;
    },
    subscribe: onChange,
  };
}

/** A sign-out leaves none of a person's words on the device. */
export function forgetLostWords(person: string): void {
  for (const name of namesOf(`${LOST_PREFIX}${person}:`)) {
    inMemory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // No storage, nothing kept.
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
    // No storage: what this tab has.
  }
  return [...names].filter((name) => name.startsWith(prefix)).sort();
}

function onChange(run: () => void): Cancel {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(LOST_PREFIX)) run();
  };
  addEventListener('storage', onStorage);
  changes.addEventListener('change', run);
  return () => {
    removeEventListener('storage', onStorage);
    changes.removeEventListener('change', run);
  };
}
