// A screen that is opened anew starts at its top; back and forward lead to the place where it was left. Not part of the first
// script: the layouts of signed-in people bring it along.
import { useEffect, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { parsePageParam } from '../state/workspace/page-address.ts';

/** A screen needs this long at most until it is as high as it was. */
const RESTORED_WITHIN_MS = 3_000;

/** By entry of the browser's history. Outside of React, because the layouts come and go. */
const places = new Map<string, number>();
let shown: { readonly key: string; readonly screen: string } | null = null;

export function useScrollPlaces(): void {
  const { key, pathname, hash } = useLocation();
  const type = useNavigationType();
  useEffect(() => {
    addEventListener('scroll', notePlace, { passive: true });
    return () => removeEventListener('scroll', notePlace);
  }, []);
  useLayoutEffect(() => arriveAt(key, screenOf(pathname), hash, type), [key, pathname, hash, type]);
}

function notePlace(): void {
  // While the next screen is on its way, the browser scrolls the old one to the place of the next.
  if (shown !== null && keyOfEntry() === shown.key) places.set(shown.key, scrollY);
}

/** A function of its own: the React Compiler reads a variable of the module again after it was set. */
function arriveAt(key: string, screen: string, hash: string, type: NavigationType): (() => void) | undefined {
  const before = shown;
  shown = { key, screen };
  // After a load the browser itself knows the place.
  if (before === null || before.key === key) return undefined;
  if (type === NavigationType.Pop) return goBackTo(places.get(key) ?? 0);
  // A new title replaces the address of its page.
  if (screen !== before.screen || (type === NavigationType.Push && hash === '')) {
    scrollTo({ top: 0, behavior: 'instant' });
  }
  return undefined;
}

/** Tries again while the screen grows, until the place is reached, the person acts, or the time is over. */
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

/** The path with a page's id alone, so that it stays the same when the title changes. */
const screenOf = (pathname: string): string =>
  pathname.replace(/\/p\/([^/]+)/, (_, page: string) => `/p/${parsePageParam(page) ?? page}`);
