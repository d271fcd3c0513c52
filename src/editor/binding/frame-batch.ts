// Batches the work of one animation frame of a page in this order: all waiting remote edits are applied, the editor
// draws them at once, and then overlays are measured. The browser computes the layout only once.
import type { Cancel } from '../../lib/cancel.ts';

type Steps = { readonly draws: Set<() => void>; readonly afterDraws: Set<() => void> };

/** Null outside of such a frame. */
let steps: Steps | null = null;

/** Call in an animation frame callback. An exception in one step does not stop the others. */
export function runFrame(applyRemote: () => void): void {
  const own: Steps = { draws: new Set(), afterDraws: new Set() };
  const failures: unknown[] = [];
  const attempt = (run: () => void) => {
    try {
      run();
    } catch (error) {
      failures.push(error);
    }
  };
  steps = own;
  attempt(applyRemote);
  // A draw may add measuring. It must not ask for itself again: it is in the set already, so it would not run a second time.
  for (const draw of own.draws) attempt(draw);
  steps = null;
  for (const run of own.afterDraws) attempt(run);
  if (failures.length > 0) throw failures[0];
}

/** Runs at once, or, inside a frame, after all remote edits are applied. */
export function drawInFrame(draw: () => void): void {
  if (steps === null) draw();
  else steps.draws.add(draw);
}

/** Runs after everything in this frame is drawn, or, outside a frame, in the next one. */
export function runAfterDraws(run: () => void): Cancel {
  if (steps === null) {
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  }
  const { afterDraws } = steps;
  afterDraws.add(run);
  return () => void afterDraws.delete(run);
}
