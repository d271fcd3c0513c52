// Spreads work that costs layout over frames: what does not fit into this frame waits for a later one.
import type { Cancel } from '../../lib/cancel.ts';

/** A hidden page has no frames, but its work goes on. */
const HIDDEN_MS = 100;

type Work = { readonly cost: number; readonly run: () => void };

class FrameBudget {
  readonly #perFrame: number;
  #waiting: Work[] = [];
  #used = 0;

  constructor(perFrame: number) {
    this.#perFrame = perFrame;
  }

  /** Runs the work at once if this frame has room for it, otherwise in a later frame, in order. */
  run(cost: number, run: () => void): Cancel {
    const work = { cost, run };
    if (this.#waiting.length === 0 && this.#fits(cost)) this.#do(work);
    else this.#waiting.push(work);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== work);
    };
  }

  /** Work above the budget gets a frame of its own. */
  #fits(cost: number): boolean {
    return this.#used === 0 || this.#used + cost <= this.#perFrame;
  }

  #do({ cost, run }: Work): void {
    if (this.#used === 0 && cost > 0) afterFrame(() => this.#nextFrame());
    this.#used += cost;
    run();
  }

  #nextFrame(): void {
    this.#used = 0;
    for (let first = this.#waiting[0]; first !== undefined && this.#fits(first.cost); first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#do(first);
    }
  }
}

/**
 * Shared by all formulas and colored code of the tab. A cost is a share of a frame: 1 is as much as may be drawn in one
 * frame.
 */
export const drawingFrames = new FrameBudget(1);

/** Runs after the layout and paint of the next frame: a timer within the frame callback does. */
export function afterFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_MS);
  else requestAnimationFrame(() => setTimeout(run, 0));
}
