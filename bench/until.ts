// Waits until a condition holds, in real time.
import { setTimeout as delay } from 'node:timers/promises';

export async function until(fact: () => boolean, withinMs = 30_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!fact()) {
    if (performance.now() > deadline) throw new Error(`did not happen within ${withinMs} ms: ${fact.toString()}`);
    await delay(5);
  }
}
