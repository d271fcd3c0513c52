// Scrolls to the block that the page's address names, once per address, after the page is drawn.
import type { Editor } from '@tiptap/core';
import { useEffect, useRef } from 'react';
import type { Cancel } from '../../lib/cancel.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { blockInHash, goToBlock } from './block-link.ts';

export type Target = { readonly hash: string };

type DrawnPage = { readonly editor: Editor; readonly whenWhole: (run: () => void) => Cancel };

export function useTargetBlock(page: DrawnPage | null, target: Target | null): void {
  /** The address that was scrolled to. A rebuilt page (L6) must not scroll there again. */
  const done = useRef<Target>(null);
  useEffect(() => {
    const id = target === null ? null : blockInHash(target.hash);
    if (page === null || id === null || done.current === target) return undefined;
    let frame = 0;
    const cancel = page.whenWhole(() => {
      // By the next frame the layout around it is done, so the scroll position holds.
      frame = requestAnimationFrame(() => {
        if (page.editor.isDestroyed) return;
        done.current = target;
        if (!goToBlock(page.editor, id)) toast('That block is no longer on this page.');
      });
    });
    return () => {
      cancel();
      cancelAnimationFrame(frame);
    };
  }, [page, target]);
}
