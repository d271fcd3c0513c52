// Hooks for what changes with time: the current time, a value that has settled, something that waits for too long.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { onTick } from './while-visible.ts';

/** The current time in ms, up to `everyMs` behind, and longer while the page is hidden. Null: the time of the first render. */
export function useNow(everyMs: number | null): number {
  const [start] = useState(Date.now);
  const subscribe = useCallback(
    (run: () => void) => (everyMs === null ? () => undefined : onTick(everyMs, run)),
    [everyMs],
  );
  return useSyncExternalStore(subscribe, () =>
    everyMs === null ? start : Math.max(start, Math.floor(Date.now() / everyMs) * everyMs),
  );
}

/** Returns `value` once it has stayed the same for `ms`, and the previous value until then. The first value counts at once. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (Object.is(value, settled)) return;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, settled, ms]);
  return settled;
}

/**
 * True once the oldest edit has waited for `ms`. That something waits is normal while someone types. `oldestAt`: ms since 1970,
 * null if nothing waits.
 */
export function useOverdue(oldestAt: number | null, ms: number): boolean {
  const [overdue, setOverdue] = useState(() => (oldestAt !== null && Date.now() >= oldestAt + ms ? oldestAt : null));
  useEffect(() => {
    if (oldestAt === null || oldestAt === overdue) return;
    // No longer than `ms` even if the device's clock was set back.
    const timer = setTimeout(() => setOverdue(oldestAt), Math.min(ms, oldestAt + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [oldestAt, overdue, ms]);
  return oldestAt !== null && oldestAt === overdue;
}
