// Measures the heap and the open resources of a process that was started with --expose-gc.
import { setTimeout as delay } from 'node:timers/promises';

/** Heap bytes after collecting all garbage. A WeakRef releases its target only in a later task. */
export async function heapBytes(): Promise<number> {
  for (let round = 0; round < 6; round++) {
    globalThis.gc?.();
    await delay(10);
  }
  return process.memoryUsage().heapUsed;
}

/** How many resources of each kind keep the event loop alive. */
export function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** How many of the objects were not collected. */
export const alive = (refs: readonly WeakRef<object>[]): number =>
  refs.filter((ref) => ref.deref() !== undefined).length;
