// Loads the formula renderer when a page first has a formula, and tells subscribers when it is ready. Knows no editor.
import type { Cancel } from '../../lib/cancel.ts';
import type { RenderedMath } from './rendered-math.ts';

/** Returns null until the renderer is loaded; calling it loads it. */
type Draw = (tex: string) => RenderedMath | null;

const WAITING: Draw = () => {
  void load();
  return null;
};
const UNREACHED: Draw = () => {
  void load();
  return { html: null, error: 'Formulas could not be loaded. The source is kept.' };
};

let draw = WAITING;
let isAsked = false;
const watchers = new Set<() => void>();

export const drawMath: Draw = (tex) => draw(tex);

/** A different function once the renderer is loaded or failed to load, as `useSyncExternalStore` needs. */
export const mathDrawer = (): Draw => draw;

export function subscribeMath(run: () => void): Cancel {
  watchers.add(run);
  return () => {
    watchers.delete(run);
  };
}

async function load(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  const before = draw;
  try {
    const { renderMath } = await import('./render-math.ts');
    draw = renderMath;
  } catch {
    // Offline and not cached yet: the next formula tries again.
    isAsked = false;
    draw = UNREACHED;
  }
  if (draw !== before) for (const run of [...watchers]) run();
}
