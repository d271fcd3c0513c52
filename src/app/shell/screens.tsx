// All screens. A screen that is opened anew starts at its top; back and forward lead to the place where it was left.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router';
import { parsePageParam } from '../../state/workspace/page-address.ts';

/** A screen needs this long at most until it is as high as it was. */
const RESTORED_WITHIN_MS = 3_000;

export function Screens() {
  useScrollPlaces();
  return <Outlet />;
}

function useScrollPlaces(): void {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  const places = useRef(new Map<string, number>());
  const shown = useRef({ key, screen: screenOf(pathname) });
  useEffect(() => {
    const note = () => {
      // While the next screen is on its way, the browser scrolls the old one to the place of the next.
      if (keyOfEntry() === shown.current.key) places.current.set(shown.current.key, scrollY);
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  useLayoutEffect(() => {
    const before = shown.current;
    const screen = screenOf(pathname);
    if (before.key === key) return undefined;
    shown.current = { key, screen };
    if (type === NavigationType.Pop) return goBackTo(places.current.get(key) ?? 0);
    // A new title replaces the address of its page.
    if (screen !== before.screen || (type === NavigationType.Push && hash === '')) {
      scrollTo({ top: 0, behavior: 'instant' });
    }
    return undefined;
  }, [key, pathname, hash, type]);
}

/** Tries again while the screen fills, until the person scrolls themselves. */
function goBackTo(top: number) {
  const go = () => {
    scrollTo({ top, behavior: 'instant' });
    if (Math.abs(scrollY - top) <= 1) stop();
  };
  const growing = new ResizeObserver(go);
  const timer = setTimeout(() => stop(), RESTORED_WITHIN_MS);
  const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
  function stop() {
    growing.disconnect();
    clearTimeout(timer);
    for (const act of acts) removeEventListener(act, stop);
  }
  for (const act of acts) addEventListener(act, stop, { passive: true });
  growing.observe(document.body);
  go();
  return stop;
}

/** The key that React Router gives the entry of the browser's history; the first one has none. */
function keyOfEntry(): string {
  const state: unknown = history.state;
  const key = typeof state === 'object' && state !== null && 'key' in state ? state.key : null;
  return typeof key === 'string' ? key : 'default';
}

/** The same for every title of a page. */
const screenOf = (pathname: string): string =>
  pathname.replace(/\/p\/([^/]+)/, (_, page: string) => `/p/${parsePageParam(page) ?? page}`);
