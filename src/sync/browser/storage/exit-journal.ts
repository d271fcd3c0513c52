// Edits that IndexedDB had not confirmed when the page went away. Measured in Chromium 156: a reload 30 ms after a key
// rolls back transactions that are queued behind an earlier one, even committed ones. localStorage is written before
// `pagehide` returns, and the next page moves the edits into IndexedDB.
import * as v from 'valibot';
import { fromBase64, toBase64 } from '../../../lib/bytes.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { OutboxEntry } from '../../ports.ts';
import type { DocumentId, SessionId } from '../../protocol/ids.ts';
import type { SharedStorage } from './shared-storage.ts';
import * as shapes from './stored-shapes.ts';

export type JournalEntry = {
  readonly document: DocumentId;
  readonly session: SessionId;
  readonly clientId: number;
  readonly openedAt: number;
  readonly entry: OutboxEntry;
};

export class ExitJournal {
  readonly #prefix: string;
  readonly #own: string;
  readonly #storage: SharedStorage;
  readonly #isClosed: () => boolean;
  readonly #entries = new Set<JournalEntry>();

  /**
   * `name` is the database's name, `page` emits `pagehide`, and `isClosed` is true once the person has signed out and
   * nothing may be written any more.
   */
  constructor(name: string, storage: SharedStorage, page: EventTarget, isClosed: () => boolean) {
    this.#prefix = `${name}:exit-journal:`;
    this.#own = `${this.#prefix}${Date.now()}.${Math.random()}`;
    this.#storage = storage;
    this.#isClosed = isClosed;
    page.addEventListener('pagehide', () => this.#write());
  }

  /** Keeps an edit for the journal until the returned function is called: the database has stored it, or can't. */
  record(entry: JournalEntry): Cancel {
    this.#entries.add(entry);
    return () => {
      this.#entries.delete(entry);
      // The page survived (it was only in the background), and the database has everything by now.
      if (this.#entries.size === 0) this.#storage.removeItem(this.#own);
    };
  }

  /** The entries that earlier pages left. Call `forget` once they are stored. */
  read(): { readonly entries: readonly JournalEntry[]; readonly forget: () => void } {
    const names = this.#storage.names().filter((name) => name.startsWith(this.#prefix));
    return {
      entries: names.flatMap((name) => parse(this.#storage.getItem(name) ?? '')),
      forget: () => names.forEach((name) => this.#storage.removeItem(name)),
    };
  }

  #write(): void {
    if (this.#entries.size === 0 || this.#isClosed()) return;
    // Full or forbidden: IndexedDB may still be quick enough.
    this.#storage.setItem(this.#own, JSON.stringify([...this.#entries], bytesAsBase64));
  }
}

const bytesAsBase64 = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: toBase64(value) } : value;

const inBase64 = v.object({ base64: v.string() });

const base64AsBytes = (_name: string, value: unknown): unknown => {
  const bytes = parseOrNull(inBase64, value);
  return bytes === null ? value : fromBase64(bytes.base64);
};

/** Parses each entry by itself, so that a damaged one costs no other. */
function parse(text: string): readonly JournalEntry[] {
  try {
    const all: unknown = JSON.parse(text, base64AsBytes);
    return Array.isArray(all) ? all.flatMap((one: unknown) => parseOrNull(shapes.journalEntry, one) ?? []) : [];
  } catch {
    return [];
  }
}
