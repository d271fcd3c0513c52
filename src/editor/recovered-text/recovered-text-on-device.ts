// All recovered text of a user on this device, by page.
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { STORED_TEXTS, onTextChange, readText, storedNames } from '../../ui/browser/stored-texts.ts';
import { type RecoveredTextEntry, parseRecoveredTexts } from './recovered-texts.ts';

export type RecoveredTextOfPage = { readonly document: DocumentId; readonly entries: readonly RecoveredTextEntry[] };

/** `get` returns the same object as long as nothing changes. */
export function recoveredTextOnDevice(person: string): {
  readonly get: () => readonly RecoveredTextOfPage[];
  readonly subscribe: (run: () => void) => Cancel;
} {
  const prefix = `${STORED_TEXTS.recoveredText}${person}:`;
  let before: { readonly texts: string; readonly pages: readonly RecoveredTextOfPage[] } = { texts: '', pages: [] };
  return {
    get() {
      const texts = storedNames(prefix).map((name) => [name, readText(name)] as const);
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
    subscribe: (run) => onTextChange(prefix, run),
  };
}
