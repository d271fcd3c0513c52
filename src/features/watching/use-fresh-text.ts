// The words that arrived while the page is being watched, for as long as they are underlined. Words that were there when it
// opened are not fresh.
import { useEffect, useRef, useState } from 'react';
import type { Block } from 'weft-document/blocks/block.ts';
import { type FreshText, freshText } from 'weft-document/body/fresh-text.ts';

/** The underline stays for 400 ms, then fades in 1200 ms. */
const FRESH_MS = 1600;
const NONE: readonly FreshText[] = [];

/** `isOpen` is false until the whole page has loaded. */
export function useFreshText(blocks: readonly Block[], isOpen: boolean): readonly FreshText[] {
  const [fresh, setFresh] = useState(NONE);
  const previousBlocks = useRef<readonly Block[] | null>(null);
  useEffect(() => {
    const before = previousBlocks.current;
    previousBlocks.current = isOpen ? blocks : null;
    const found = before === null || !isOpen ? NONE : freshText(before, blocks);
    // Also none: the words that were new are at other offsets by now.
    setFresh(found.length === 0 ? NONE : found);
    if (found.length === 0) return undefined;
    const timer = setTimeout(() => setFresh(NONE), FRESH_MS);
    return () => clearTimeout(timer);
  }, [blocks, isOpen]);
  return fresh;
}
