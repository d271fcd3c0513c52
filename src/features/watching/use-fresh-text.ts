// Which words arrived while somebody looks, for as long as they are underlined. What stood there at first is not fresh.
import { useEffect, useRef, useState } from 'react';
import type { Block } from '../../document/blocks/block.ts';
import { type FreshText, freshText } from '../../document/body/fresh-text.ts';

/** The thread stands 400 ms, then is rubbed out in 1200 ms (design, section 4). */
const FRESH_MS = 1600;
const NONE: readonly FreshText[] = [];

/** `isOpen`: false until the first whole page is here. */
export function useFreshText(blocks: readonly Block[], isOpen: boolean): readonly FreshText[] {
  const [fresh, setFresh] = useState(NONE);
  const seen = useRef<readonly Block[] | null>(null);
  useEffect(() => {
    const before = seen.current;
    seen.current = isOpen ? blocks : null;
    const found = before === null || !isOpen ? NONE : freshText(before, blocks);
    if (found.length === 0) return undefined;
    setFresh(found);
    const timer = setTimeout(() => setFresh(NONE), FRESH_MS);
    return () => clearTimeout(timer);
  }, [blocks, isOpen]);
  return fresh;
}
