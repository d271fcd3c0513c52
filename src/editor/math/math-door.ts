// The door to drawn formulas: nothing until they are loaded, and a call when they are. Knows no editor.
import type { Cancel } from '../../lib/cancel.ts';
import type { RenderedMath } from './rendered-math.ts';

/** Null while formulas are not loaded, which it asks for. */
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

/** Another function once there is something else to draw with: for `useSyncExternalStore`. */
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
    // Offline and not kept yet: asked again with the next formula.
    isAsked = false;
    draw = UNREACHED;
  }
  if (draw !== before) for (const run of [...watchers]) run();
}
