// Things that several views use and that must be opened once: an open page, an open workspace. Lives outside React;
// StrictMode's double mount and a change of route that comes back at once find the same thing still open.
import type { Cancel } from './cancel.ts';

export type Lease<T> = { readonly value: T; readonly release: Cancel };

export interface RefCounted<Key, T> {
  /** Opens it, or joins who has it open. Every lease must be released once. */
  acquire(key: Key): Lease<T>;
  /** What is open under this key, lingering ones included; opens nothing. */
  peek(key: Key): T | null;
  /** All that is open now, lingering ones included. */
  openValues(): readonly T[];
  /** Closes everything at once, used or not: the person signed out. */
  closeAll(): Promise<void>;
}

/** What still closes is waited for this long before it is opened again: the last edits of before should be out first. */
const CLOSING_PATIENCE_MS = 1_000;

export function refCounted<Key, T>(options: {
  /** `closing`: what was open under this key before still closes; resolves when it has, or takes too long. */
  readonly open: (key: Key, closing: Promise<void> | null) => T;
  readonly close: (value: T) => Promise<void>;
  /** How long nobody uses it before it closes. */
  readonly lingerMs: number;
  readonly after: (ms: number, run: () => void) => Cancel;
  /** Told after each opening and closing. */
  readonly changed?: () => void;
}): RefCounted<Key, T> {
  type Entry = { readonly value: T; users: number; stopClosing: Cancel | null };
  const entries = new Map<Key, Entry>();
  const closings = new Map<Key, Promise<void>>();

  const close = (key: Key, entry: Entry) => {
    entry.stopClosing?.();
    // Out of the map first: who comes now opens a fresh one, never one that is closing.
    if (entries.get(key) === entry) entries.delete(key);
    const closed = options.close(entry.value);
    const settled = Promise.allSettled([closings.get(key), closed]).then(() => {
      if (closings.get(key) === settled) closings.delete(key);
    });
    closings.set(key, settled);
    options.changed?.();
    return closed;
  };

  const patience = (closing: Promise<void>) =>
    new Promise<void>((resolve) => {
      const stop = options.after(CLOSING_PATIENCE_MS, resolve);
      void closing.then(() => {
        stop();
        resolve();
      });
    });

  return {
    acquire(key) {
      let entry = entries.get(key);
      if (entry === undefined) {
        const closing = closings.get(key);
        const value = options.open(key, closing === undefined ? null : patience(closing));
        entry = { value, users: 0, stopClosing: null };
        entries.set(key, entry);
        options.changed?.();
      }
      const held = entry;
      held.stopClosing?.();
      held.stopClosing = null;
      held.users++;
      let released = false;
      return {
        value: held.value,
        release() {
          if (released) return;
          released = true;
          if (--held.users > 0 || entries.get(key) !== held) return;
          held.stopClosing = options.after(options.lingerMs, () => void close(key, held));
        },
      };
    },
    peek: (key) => entries.get(key)?.value ?? null,
    openValues: () => Array.from(entries.values(), (entry) => entry.value),
    async closeAll() {
      await Promise.all(Array.from(entries, ([key, entry]) => close(key, entry)));
    },
  };
}
