// Stores recovered text on the device, by person and page. Parses nothing.
import { STORED_TEXTS, onTextChange, readText, storeText } from '../../ui/browser/stored-texts.ts';
import type { RecoveredTextStore } from './recovered-texts.ts';

export function deviceRecoveredText(person: string): RecoveredTextStore {
  const nameOf = (document: string) => `${STORED_TEXTS.recoveredText}${person}:${document}`;
  return {
    read: (document) => readText(nameOf(document)),
    write: (document, text) => storeText(nameOf(document), text),
    watch: (run) => onTextChange(STORED_TEXTS.recoveredText, run),
  };
}
