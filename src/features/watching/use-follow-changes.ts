// "Follow changes": scrolls to each change outside the viewport, until the person scrolls. While it is off, `unseen`
// holds the newest of them, for a button that goes there.
import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import { BAR_PX } from './use-scroll-anchor.ts';

export type FollowChanges = {
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** The block of the newest change that is outside the viewport. */
  readonly unseen: string | null;
  readonly show: () => void;
};

export function useFollowChanges(page: RefObject<HTMLElement | null>, fresh: readonly FreshText[]): FollowChanges {
  const [isOn, setOn] = useState(false);
  const [unseen, setUnseen] = useState<string | null>(null);

  const scrollTo = useCallback(
    (key: string) => {
      const block = blockOf(page.current, key);
      const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
      block?.scrollIntoView({ block: 'center', behavior });
    },
    [page],
  );
  useEffect(() => {
    const newest = fresh.at(-1)?.key;
    if (newest === undefined) return undefined;
    // The block's position is known after layout.
    const frame = requestAnimationFrame(() => {
      if (isInViewport(blockOf(page.current, newest))) return;
      if (isOn) scrollTo(newest);
      else setUnseen(newest);
    });
    return () => cancelAnimationFrame(frame);
  }, [fresh, isOn, page, scrollTo]);
  useEffect(() => {
    // Events of a person's own scrolling: `scrollIntoView` fires none of them.
    const stop = () => setOn(false);
    const keys = ({ key, target }: KeyboardEvent) => {
      // In a menu the arrow keys scroll nothing, and Space presses a button: also the one that switches this off.
      const isTaken = target instanceof Element && target.closest(TAKES_KEYS) !== null;
      if (!isTaken && /^(?:Page|Arrow|Home|End| )/.test(key)) stop();
    };
    // The root element is what is pressed where its scrollbar is.
    const pressed = ({ target }: PointerEvent) => target === document.documentElement && stop();
    const checkUnseen = () =>
      setUnseen((key) => (key !== null && isInViewport(blockOf(page.current, key)) ? null : key));
    addEventListener('wheel', stop, { passive: true });
    addEventListener('touchmove', stop, { passive: true });
    addEventListener('pointerdown', pressed, { passive: true });
    addEventListener('keydown', keys);
    addEventListener('scroll', checkUnseen, { passive: true, capture: true });
    return () => {
      removeEventListener('wheel', stop);
      removeEventListener('touchmove', stop);
      removeEventListener('pointerdown', pressed);
      removeEventListener('keydown', keys);
      removeEventListener('scroll', checkUnseen, { capture: true });
    };
  }, [page]);

  const show = () => {
    if (unseen !== null) scrollTo(unseen);
    setUnseen(null);
  };
  return { isOn, toggle: () => setOn(!isOn), unseen, show };
}

const TAKES_KEYS = 'button, input, [role="menu"], [role="dialog"]';

const blockOf = (page: HTMLElement | null, key: string): Element | null =>
  page?.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? null;

/** A block that is not drawn counts as seen: there is nowhere to go. */
function isInViewport(block: Element | null): boolean {
  if (block === null) return true;
  const { top, bottom } = block.getBoundingClientRect();
  return bottom > BAR_PX && top < window.innerHeight;
}
