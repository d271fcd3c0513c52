// Batches the work of one animation frame of a page in this order: all waiting remote edits are applied, the editor
// draws them at once, and then overlays are measured. The browser computes the layout only once.
import type { Cancel } from '../../lib/cancel.ts';

type Steps = { readonly draws: Set<() => void>; readonly ends: Set<() => void> };

/** Null outside of such a frame. */
let steps: Steps | null = null;

/** Call in an animation frame callback. An exception in one step does not stop the others. */
export function runFrame(letIn: () => void): void {
  const own: Steps = { draws: new Set(), ends: new Set() };
  const failures: unknown[] = [];
  const tried = (run: () => void) => {
    try {
      run();
    } catch (error) {
      failures.push(error);
    }
  };
  steps = own;
  tried(letIn);
  // A draw may add measuring, but no further draw.
  for (const draw of own.draws) tried(draw);
  steps = null;
  for (const end of own.ends) tried(end);
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
  const { ends } = steps;
  ends.add(run);
  return () => void ends.delete(run);
}
