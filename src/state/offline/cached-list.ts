// A list of the server that is also kept on this device: shown at once from the shelf, fetched, fetched again when
// told so, and tried again while the server cannot be reached.
import { type Atom, atom } from 'jotai/vanilla';
import { backoffMs } from '../../lib/backoff.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { ListCache } from '../ports.ts';
import type { Store } from '../store.ts';

export type ListState<T> = {
  /** The newest that is known; null before anything is. Kept when a later fetch fails. */
  readonly value: T | null;
  /** `value` came from the server since this list was opened, and the last fetch did not fail. */
  readonly isFresh: boolean;
  readonly error: WeftError | null;
};

/** Time and chance, injected: see `Clock` and `Random` of src/sync. */
export type Timing = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly random: () => number;
};

/** A burst of changes is one fetch at its start and one at its end, and a long one two or three per second. */
const REFRESH_EVERY_MS = 400;

export interface CachedList<T> {
  readonly atom: Atom<ListState<T>>;
  /** Fetches soon; resolves when a fetch that began after this call is over. */
  readonly refresh: () => Promise<void>;
  /** What a write of this tab just answered: shown without waiting for the next fetch. */
  readonly amend: (change: (value: T) => T) => void;
  readonly close: () => void;
}

export function cachedList<T>(options: {
  readonly store: Store;
  readonly listCache: ListCache;
  readonly key: string;
  readonly fetch: () => Promise<Result<T, WeftError>>;
  /** The shelf is a border too. */
  readonly parse: (stored: unknown) => T | null;
  readonly timing: Timing;
}): CachedList<T> {
  const { store, listCache, key, timing } = options;
  const listAtom = atom<ListState<T>>({ value: null, isFresh: false, error: null });
  let closed = false;
  let failures = 0;
  /** A fetch is under way, or was begun a moment ago. */
  let busy: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let stopRetry: Cancel | null = null;
  let endPause: Cancel | null = null;

  const set = (list: ListState<T>) => {
    if (!closed) store.set(listAtom, list);
  };

  const showCached = async () => {
    const stored = await listCache.load(key);
    const value = stored === undefined || stored === null ? null : options.parse(stored);
    const list = store.get(listAtom);
    // The server may have been faster than the shelf, or may have said meanwhile that it is gone.
    if (value !== null && list.value === null && list.error?.code !== 'WF001') set({ ...list, value });
  };

  const fetchOnce = async () => {
    stopRetry?.();
    stopRetry = null;
    const answer = await options.fetch();
    if (closed) return;
    if (answer.ok) {
      failures = 0;
      set({ value: answer.value, isFresh: true, error: null });
      void listCache.save(key, answer.value);
      return;
    }
    const gone = answer.error.code === 'WF001';
    const { value } = store.get(listAtom);
    set({ value: gone ? null : value, isFresh: false, error: answer.error });
    if (gone) void listCache.save(key, null);
    else {
      // A browser that was killed takes its time to open what it stored: once was not enough.
      if (value === null) void showCached();
      stopRetry = timing.after(1_000 + backoffMs(++failures, timing.random()), () => void refresh());
    }
  };

  const pause = () =>
    new Promise<void>((resolve) => {
      const stop = timing.after(REFRESH_EVERY_MS, resolve);
      endPause = () => {
        stop();
        resolve();
      };
    });

  const refresh = (): Promise<void> => {
    if (closed) return Promise.resolve();
    if (busy === null) {
      const fetched = fetchOnce();
      busy = Promise.all([fetched, pause()]).then(() => {
        busy = null;
      });
      return fetched;
    }
    next ??= busy.then(() => {
      next = null;
      return refresh();
    });
    return next;
  };

  void showCached();
  void refresh();

  return {
    atom: listAtom,
    refresh,
    amend(change) {
      const list = store.get(listAtom);
      if (list.value === null) return;
      const value = change(list.value);
      set({ ...list, value });
      void listCache.save(key, value);
    },
    close() {
      closed = true;
      stopRetry?.();
      endPause?.();
    },
  };
}
