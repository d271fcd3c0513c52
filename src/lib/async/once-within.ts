// Runs once for several calls, at a random time within so many milliseconds of the first: people who all hear of something at once
// don't all ask at once.
import type { Cancel } from '../cancel.ts';

export interface OnceWithin {
  readonly call: (ms: number) => void;
  readonly cancel: Cancel;
}

type Timing = { readonly after: (ms: number, run: () => void) => Cancel; readonly random: () => number };

export function onceWithin(timing: Timing, run: () => void): OnceWithin {
  let stop: Cancel | null = null;
  return {
    call(ms) {
      stop ??= timing.after(timing.random() * ms, () => {
        stop = null;
        run();
      });
    },
    cancel() {
      stop?.();
      stop = null;
    },
  };
}
