// Things that several views share and that must be opened only once, such as an open page or workspace. Lives outside
// React: StrictMode's double mount, or leaving a route and coming straight back, finds the same thing still open.
import type { Cancel } from '../cancel.ts';

export type Lease<T> = { readonly value: T; readonly release: Cancel };

export interface RefCounted<Key, T> {
  /** Opens the value, or shares it if it is open already. Release every lease once. */
  acquire(key: Key): Lease<T>;
  /** The value that is open under this key, lingering ones included. Opens nothing. */
  peek(key: Key): T | null;
  /** All values that are open now, lingering ones included. */
  openValues(): readonly T[];
  /** Closes everything at once, whether used or not: the person signed out, or another one signed in. */
  closeAll(): Promise<void>;
}

/**
 * How long to wait for the previous value to finish closing before opening it again, so that its last edits get out
 * first.
 */
const MAX_CLOSING_WAIT_MS = 1_000;

export function refCounted<Key, T>(options: {
  /**
   * `closing` is set while the previous value of this key is still closing. It resolves when that is done or takes too
   * long.
   */
  readonly open: (key: Key, closing: Promise<void> | null) => T;
  readonly close: (value: T) => Promise<void>;
  /** How long a value without users stays open. */
  readonly lingerMs: number;
  readonly after: (ms: number, run: () => void) => Cancel;
  /** Runs after each opening and closing. */
  readonly changed?: () => void;
}): RefCounted<Key, T> {
  type Entry = { readonly value: T; users: number; stopClosing: Cancel | null };
  const entries = new Map<Key, Entry>();
  const closings = new Map<Key, Promise<void>>();

  const close = (key: Key, entry: Entry) => {
    entry.stopClosing?.();
    // Remove it from the map first, so that the next caller opens a new one and never gets one that is closing.
    if (entries.get(key) === entry) entries.delete(key);
    const closed = options.close(entry.value);
    const settled = Promise.allSettled([closings.get(key), closed]).then(() => {
      if (closings.get(key) === settled) closings.delete(key);
    });
    closings.set(key, settled);
    options.changed?.();
    return closed;
  };

  const withTimeout = (closing: Promise<void>) =>
    new Promise<void>((resolve) => {
      const stop = options.after(MAX_CLOSING_WAIT_MS, resolve);
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
        const value = options.open(key, closing === undefined ? null : withTimeout(closing));
        entry = { value, users: 0, stopClosing: null };
        entries.set(key, entry);
        options.changed?.();
      }
      const shared = entry;
      shared.stopClosing?.();
      shared.stopClosing = null;
      shared.users++;
      let released = false;
      return {
        value: shared.value,
        release() {
          if (released) return;
          released = true;
          if (--shared.users > 0 || entries.get(key) !== shared) return;
          shared.stopClosing = options.after(options.lingerMs, () => void close(key, shared));
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
