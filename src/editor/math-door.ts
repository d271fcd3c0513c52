// The door to drawn formulas: nothing until they are loaded, and a call when they are. Knows no editor.
import type { Cancel } from '../lib/cancel.ts';

/** One of the two is null. `html` comes from KaTeX alone; `error` is words for people. */
export type Drawn = { readonly html: string; readonly error: null } | { readonly html: null; readonly error: string };

let render: ((tex: string) => Drawn) | null = null;
let isAsked = false;
const watchers = new Set<() => void>();
const UNREACHED: Drawn = { html: null, error: 'Formulas could not be loaded. The source is kept.' };
let isUnreached = false;

/** Null while formulas are not loaded, which this asks for. */
export function drawMath(tex: string): Drawn | null {
  if (render === null) void load();
  return render?.(tex) ?? (isUnreached ? UNREACHED : null);
}

export function subscribeMath(run: () => void): Cancel {
  watchers.add(run);
  return () => {
    watchers.delete(run);
  };
}

/** What there is to draw with: another value once it came. For `useSyncExternalStore`. */
export const mathState = (): string => (render !== null ? 'ready' : isUnreached ? 'unreached' : 'none');

async function load(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    const { renderMath } = await import('./render-math.ts');
    render = renderMath;
  } catch {
    // Offline and not kept yet: asked again with the next formula.
    isAsked = false;
    isUnreached = true;
  }
  for (const run of [...watchers]) run();
}
