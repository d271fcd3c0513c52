// A list from the server with a cached copy on this device. Shows the copy at once, then fetches; fetches again on
// request, and retries after each error that does not mean that the list is gone.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { RetryTimer } from '../../lib/async/retry-timer.ts';
import { spacedRuns } from '../../lib/async/spaced-runs.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Result } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';

export type ListState<T> = {
  /** The newest known value, or null before there is one. A later failed fetch does not clear it. */
  readonly value: T | null;
  /** True if `value` came from the server since this list was opened, and the last fetch succeeded. */
  readonly isFresh: boolean;
  readonly error: WeftError | null;
};

/** Injected time and randomness; see `Clock` and `Random` of src/sync. */
export type Timing = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly random: () => number;
};

/** A burst of changes causes one fetch at its start and one at its end; a long burst two or three per second. */
const REFRESH_EVERY_MS = 400;

export interface CachedList<T> {
  readonly atom: Atom<ListState<T>>;
  /** Fetches soon. Resolves when a fetch that began after this call is over. */
  readonly refresh: () => Promise<void>;
  /** The device says that it has no network: asks now, because a fetch under way may hang until it times out. */
  readonly noteOffline: () => void;
  /** Applies the answer to a write of this tab without waiting for the next fetch. */
  readonly amend: (change: (value: T) => T) => void;
  readonly close: () => void;
}

export function cachedList<T>(options: {
  readonly store: AtomStore;
  readonly listCache: ListCache;
  readonly key: string;
  /** `known` returns the newest known value. */
  readonly fetch: (known: () => T | null) => Promise<Result<T, WeftError>>;
  /** Parses the cached copy, which another version may have written. */
  readonly parse: (stored: unknown) => T | null;
  readonly timing: Timing;
  /** Errors that say that the list is not for this person, or is gone: no copy stays, and only a call to `refresh` asks again. */
  readonly goneCodes?: readonly WeftError['code'][];
}): CachedList<T> {
  const { store, listCache, key, timing, goneCodes = ['WF001'] } = options;
  const isGone = (error: WeftError | null) => error !== null && goneCodes.includes(error.code);
  const listAtom = atom<ListState<T>>({ value: null, isFresh: false, error: null });
  let closed = false;
  const retries = new RetryTimer(timing, () => void refresh());
  let fetches = 0;
  /** The newest fetch that brought a list. */
  let applied = 0;

  const set = (list: ListState<T>) => {
    if (!closed) store.set(listAtom, list);
  };

  const showCached = async () => {
    const stored = await listCache.load(key);
    const value = stored === undefined || stored === null ? null : options.parse(stored);
    const list = store.get(listAtom);
    // The server may have been faster than the cache, or may have reported meanwhile that the list is gone.
    if (value !== null && list.value === null && !isGone(list.error)) set({ ...list, value });
  };

  const fetchOnce = async () => {
    retries.cancel();
    const fetch = ++fetches;
    const answer = await options.fetch(() => store.get(listAtom).value);
    // A later fetch is under way or over: whether the server answers is for that one to say.
    if (closed || fetch < applied || (!answer.ok && fetch < fetches)) return;
    if (answer.ok) {
      applied = fetch;
      retries.succeeded();
      set({ value: answer.value, isFresh: true, error: null });
      void listCache.save(key, answer.value);
      return;
    }
    const gone = isGone(answer.error);
    const { value } = store.get(listAtom);
    set({ value: gone ? null : value, isFresh: false, error: answer.error });
    if (gone) void listCache.save(key, null);
    else {
      // After a crash the browser may need long to open its storage, so try the cache again.
      if (value === null) void showCached();
      retries.failed(1_000);
    }
  };

  const { call: refresh, close: stopRefreshing } = spacedRuns(fetchOnce, REFRESH_EVERY_MS, timing.after);

  void showCached();
  void refresh();

  return {
    atom: listAtom,
    refresh,
    noteOffline: () => void fetchOnce(),
    amend(change) {
      const list = store.get(listAtom);
      if (list.value === null) return;
      const value = change(list.value);
      set({ ...list, value });
      void listCache.save(key, value);
    },
    close() {
      closed = true;
      retries.cancel();
      stopRefreshing();
    },
  };
}
