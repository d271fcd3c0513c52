// Runs a task when the browser is idle, to load early what will be needed later.
import type { Cancel } from '../cancel.ts';

const MAX_WAIT_MS = 5_000;
/** Safari has no idle callbacks. */
const FALLBACK_MS = 2_000;

export function whenIdle(run: () => void): Cancel {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, FALLBACK_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: MAX_WAIT_MS });
  return () => cancelIdleCallback(handle);
}
