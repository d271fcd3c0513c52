// A long list is drawn in slices: the screen stays responsive with 2,000 threads, or 1,000 comments in one.
import { useEffect, useState } from 'react';

export const CARDS_IN_FRAME = 100;
/** Each has several buttons and menus. */
export const COMMENTS_IN_FRAME = 20;

/** How many entries to draw now: `slice` of them first, and as many more with each frame. */
export function useGrowingCount(length: number, slice: number): number {
  const [count, setCount] = useState(slice);
  const isWhole = count >= length;
  useEffect(() => {
    if (isWhole) return undefined;
    const frame = requestAnimationFrame(() => setCount(count + slice));
    return () => cancelAnimationFrame(frame);
  }, [isWhole, count, slice]);
  return Math.min(count, length);
}
