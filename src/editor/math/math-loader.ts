// Loads the formula renderer when a page first has a formula, and tells subscribers when it is ready. Knows no editor.
import { Subscribable } from '../../lib/subscribable.ts';
import type { RenderedMath } from './rendered-math.ts';

/** Returns null until the renderer is loaded; calling it loads it. */
type RenderMath = (tex: string) => RenderedMath | null;

const WAITING: RenderMath = () => {
  void load();
  return null;
};
const FAILED: RenderMath = () => {
  void load();
  return { html: null, error: 'Couldn’t load formulas. The source is kept.' };
};

let render = WAITING;
let isRequested = false;
const changes = new Subscribable();

export const renderMathIfLoaded: RenderMath = (tex) => render(tex);

/** A different function once the renderer is loaded or failed to load, as `useSyncExternalStore` needs. */
export const currentMathRenderer = (): RenderMath => render;

export const subscribeMathRenderer = changes.subscribe;

async function load(): Promise<void> {
  if (isRequested) return;
  isRequested = true;
  const before = render;
  try {
    const { renderMath } = await import('./render-math.ts');
    render = renderMath;
  } catch {
    // Offline and not cached yet: the next formula tries again.
    isRequested = false;
    render = FAILED;
  }
  if (render !== before) changes.notify();
}
