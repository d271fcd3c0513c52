// Runs that callers may ask for at any rate, such as fetches of a list.
import type { Cancel } from '../cancel.ts';

/**
 * Runs at the first call, and then with a pause between the beginnings of two runs. Calls in between share the next run, so each
 * caller waits for a run that began after its call. After `close` no run begins. `run` must not reject.
 */
export function spacedRuns(
  run: () => Promise<void>,
  pauseMs: number,
  after: (ms: number, run: () => void) => Cancel,
): { readonly call: () => Promise<void>; readonly close: Cancel } {
  /** A run is under way, or began a moment ago. */
  let busy: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let endPause: Cancel | null = null;
  let closed = false;

  const pause = () =>
    new Promise<void>((resolve) => {
      const stop = after(pauseMs, resolve);
      endPause = () => {
        stop();
        resolve();
      };
    });
  const call = (): Promise<void> => {
    if (closed) return Promise.resolve();
    if (busy === null) {
      const ran = run();
      busy = Promise.all([ran, pause()]).then(() => {
        busy = null;
      });
      return ran;
    }
    next ??= busy.then(() => {
      next = null;
      return call();
    });
    return next;
  };
  return {
    call,
    close() {
      closed = true;
      endPause?.();
    },
  };
}
