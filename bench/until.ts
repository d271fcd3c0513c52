// Waits until a condition holds, in real time.
import { setTimeout as delay } from 'node:timers/promises';

export async function until(condition: () => boolean, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`still false after ${withinMs} ms: ${condition.toString()}`);
    await delay(5);
  }
}
