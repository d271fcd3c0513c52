// Scrolls to the block that the page's address names, once per address, after the page is drawn.
import type { Editor } from '@tiptap/core';
import { useEffect, useRef } from 'react';
import { toast } from '../../ui/floating/toast.tsx';
import { blockInHash, goToBlock } from './block-link.ts';

export type Target = { readonly hash: string };

export function useTargetBlock(editor: Editor | null, target: Target | null): void {
  /** The address that was scrolled to. A rebuilt page (L6) must not scroll there again. */
  const done = useRef<Target>(null);
  useEffect(() => {
    const id = target === null ? null : blockInHash(target.hash);
    if (editor === null || id === null || done.current === target) return undefined;
    // By the next frame the layout around it is done, so the scroll position holds.
    const frame = requestAnimationFrame(() => {
      if (editor.isDestroyed) return;
      done.current = target;
      if (!goToBlock(editor, id)) toast('That block is no longer on this page.');
    });
    return () => cancelAnimationFrame(frame);
  }, [editor, target]);
}
