// What happens in one frame of a page, in this order: everything that others wrote is let in, the editor draws all of it
// at once, and what lies over the page is measured. So the browser lays the page out once.
import type { Cancel } from '../../lib/cancel.ts';

type Steps = { readonly draws: Set<() => void>; readonly ends: Set<() => void> };

/** Null outside of such a frame. */
let steps: Steps | null = null;

/** Call in a frame's own callback. What is thrown keeps nobody else back. */
export function inOneFrame(letIn: () => void): void {
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
  // What is drawn may ask for an end, and no more for a draw.
  for (const draw of own.draws) tried(draw);
  steps = null;
  for (const end of own.ends) tried(end);
  if (failures.length > 0) throw failures[0];
}

/** At once, or when everything is let in. */
export function drawTogether(draw: () => void): void {
  if (steps === null) draw();
  else steps.draws.add(draw);
}

/** When everything of this frame is drawn, or in the next frame. */
export function atFrameEnd(run: () => void): Cancel {
  if (steps === null) {
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  }
  const { ends } = steps;
  ends.add(run);
  return () => void ends.delete(run);
}
