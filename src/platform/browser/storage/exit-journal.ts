// What the store was asked to keep and had not confirmed when the page went away. Measured in Chromium 156: a reload
// 30 ms after a key rolls back transactions that still queue behind an earlier one, committed or not. localStorage is
// written before `pagehide` returns; the next page puts it where it belongs.
import * as v from 'valibot';
import { fromBase64, toBase64 } from '../../../lib/bytes.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import type { DocumentId, SessionId } from '../../../protocol/ids.ts';
import type { OutboxEntry } from '../../../sync/ports.ts';
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

  /** `name` is the store's; `page` says `pagehide`; `isClosed`: the person signed out, nothing is written any more. */
  constructor(name: string, storage: SharedStorage, page: EventTarget, isClosed: () => boolean) {
    this.#prefix = `${name}:last-words:`;
    this.#own = `${this.#prefix}${Date.now()}.${Math.random()}`;
    this.#storage = storage;
    this.#isClosed = isClosed;
    page.addEventListener('pagehide', () => this.#write());
  }

  /** Until the store has confirmed it. */
  record(held: JournalEntry): Cancel {
    this.#entries.add(held);
    return () => {
      this.#entries.delete(held);
      // The page lived on (it was only put aside): what it wrote down is kept by now.
      if (this.#entries.size === 0) this.#storage.removeItem(this.#own);
    };
  }

  /** What pages before this one left; `forget` when it is kept. */
  read(): { readonly held: readonly JournalEntry[]; readonly forget: () => void } {
    const names = this.#storage.names().filter((name) => name.startsWith(this.#prefix));
    return {
      held: names.flatMap((name) => parse(this.#storage.getItem(name) ?? '')),
      forget: () => names.forEach((name) => this.#storage.removeItem(name)),
    };
  }

  #write(): void {
    if (this.#entries.size === 0 || this.#isClosed()) return;
    // Full, or forbidden: then IndexedDB may still be quick enough.
    this.#storage.setItem(this.#own, JSON.stringify([...this.#entries], bytesAsBase64));
  }
}

const bytesAsBase64 = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: toBase64(value) } : value;

const inBase64 = v.object({ base64: v.string() });

const base64AsBytes = (_name: string, value: unknown): unknown => {
  const parsed = v.safeParse(inBase64, value);
  return parsed.success ? fromBase64(parsed.output.base64) : value;
};

/** Each for itself: one that is damaged costs nobody else's words. */
function parse(text: string): readonly JournalEntry[] {
  try {
    const all: unknown = JSON.parse(text, base64AsBytes);
    return Array.isArray(all) ? all.flatMap((one: unknown) => shapes.parseStored(shapes.journalEntry, one) ?? []) : [];
  } catch {
    return [];
  }
}
