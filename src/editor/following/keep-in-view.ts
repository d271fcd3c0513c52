// Keeps a place of the page about a third from the top of the window while someone follows it, and notices when the person
// scrolls instead.
import type { Cancel } from '../../lib/cancel.ts';

/** In px from the top of the window. */
export type PlaceBox = { readonly top: number; readonly bottom: number };

/** The place's goal, as a share of the window's height. */
const GOAL = 1 / 3;
/** While it is between these shares the page stays still: it would move with every line that someone writes. */
const CALM = { from: 0.2, to: 0.5 } as const;
/** The share of the way that is left after this time is 1/e. */
const EASE_MS = 110;
/** A way longer than this many windows is cut short. */
const MAX_WAY = 1.25;
/**
 * Looks again for this many still frames: blocks of a long page get their heights only in view, which moves the place.
 */
const SETTLE_FRAMES = 12;
/** Scrolling this soon after the start is not the person's: the focus returns from a menu, or an editor is rebuilt. */
const GRACE_MS = 300;

type Options = {
  /** The element around the place: when its size changes, the place may have moved. */
  readonly content: Element;
  readonly scroller: Element;
  /** Null while the place is not on the page. */
  readonly boxOf: () => PlaceBox | null;
  /** The person scrolled: by a scrollbar, or by anything else that is not in `own-moves.ts`. */
  readonly onOwnScroll: () => void;
};

export type KeptInView = {
  /** The place has changed, or the page around it. */
  readonly changed: () => void;
  /** Another place is to be kept in view: it moves to the goal, wherever it is now. */
  readonly align: () => void;
  readonly stop: Cancel;
};

export function keepInView({ content, scroller, boxOf, onOwnScroll }: Options): KeptInView {
  const startedAt = performance.now();
  let frame: number | null = null;
  let isAligning = true;
  let calmFrames = 0;
  let drawnAt: number | null = null;
  let known = layoutOf(scroller);

  const draw = (now: number) => {
    frame = null;
    const box = boxOf();
    if (box === null) {
      drawnAt = null;
      return;
    }
    const height = scroller.clientHeight;
    if (box.top < height * CALM.from || box.top > height * CALM.to) isAligning = true;
    const way = isAligning ? box.top - height * GOAL : 0;
    const didMove = Math.abs(way) >= 1 && scrollBy(stepOf(way, height, now - (drawnAt ?? now - 16)));
    if (!didMove) isAligning = false;
    calmFrames = didMove ? 0 : calmFrames + 1;
    drawnAt = now;
    if (calmFrames < SETTLE_FRAMES) frame = requestAnimationFrame(draw);
    else drawnAt = null;
  };
  /** Returns false at the end of the page. */
  const scrollBy = (px: number): boolean => {
    const before = scroller.scrollTop;
    scroller.scrollTo({ top: before + px, behavior: 'instant' });
    known = layoutOf(scroller);
    return Math.abs(known.top - before) >= 0.5;
  };
  const changed = () => {
    calmFrames = 0;
    frame ??= requestAnimationFrame(draw);
  };
  const onScroll = ({ target }: Event) => {
    if (target !== scroller && !(target === document && scroller === document.scrollingElement)) return;
    const now = layoutOf(scroller);
    // The browser itself scrolls when a height changes, so that the words on the screen stay where they are.
    const isLayout = now.height !== known.height || now.window !== known.window;
    const isOwn = !isLayout && Math.abs(now.top - known.top) > 2 && performance.now() - startedAt > GRACE_MS;
    known = now;
    if (isOwn) onOwnScroll();
    else if (isLayout) changed();
  };
  const resized = new ResizeObserver(changed);
  resized.observe(content);
  resized.observe(scroller);
  addEventListener('scroll', onScroll, { capture: true, passive: true });
  changed();
  return {
    changed,
    align() {
      isAligning = true;
      changed();
    },
    stop() {
      if (frame !== null) cancelAnimationFrame(frame);
      resized.disconnect();
      removeEventListener('scroll', onScroll, { capture: true });
    },
  };
}

/** How far the page moves in this frame. */
function stepOf(way: number, height: number, ms: number): number {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return way;
  const longest = height * MAX_WAY;
  const cut = Math.abs(way) > longest ? way - Math.sign(way) * longest : 0;
  const eased = (way - cut) * (1 - Math.exp(-Math.min(ms, 64) / EASE_MS));
  return cut + Math.sign(way) * Math.min(Math.abs(way), Math.max(1, Math.abs(eased)));
}

const layoutOf = ({ scrollTop, scrollHeight, clientHeight }: Element) => ({
  top: scrollTop,
  height: scrollHeight,
  window: clientHeight,
});
