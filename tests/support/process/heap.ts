// What a process holds, for child processes started with --expose-gc.
import { setTimeout as delay } from 'node:timers/promises';

/** Bytes on the heap once everything that can go is gone. WeakRefs let go only in a task of their own. */
export async function heapBytes(): Promise<number> {
  for (let round = 0; round < 6; round++) {
    globalThis.gc?.();
    await delay(10);
  }
  return process.memoryUsage().heapUsed;
}

/** How many of each kind of resource keep the event loop awake. */
export function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export const alive = (refs: readonly WeakRef<object>[]): number =>
  refs.filter((ref) => ref.deref() !== undefined).length;
