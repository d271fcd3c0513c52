// Runs something once the page has nothing better to do: loading what will be wanted later.
import type { Cancel } from '../../lib/cancel.ts';

const PATIENCE_MS = 5_000;
/** Safari has no idle callbacks. */
const FALLBACK_MS = 2_000;

export function whenQuiet(run: () => void): Cancel {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, FALLBACK_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(handle);
}
