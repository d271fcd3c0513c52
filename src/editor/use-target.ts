// Goes to the block, or to the match of a search, that the page's address names: once per address, after the page is drawn.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { useEffect, useRef } from 'react';
import type { Cancel } from '../lib/cancel.ts';
import { parseMatchHash } from '../state/workspace/page-address.ts';
import { toast } from '../ui/floating/toast.tsx';
import { blockInHash, goToBlock } from './blocks/block-link.ts';
import { FindRequest } from './find/find-in-page.ts';

export type Target = { readonly hash: string };

type DrawnPage = {
  readonly editor: Editor;
  readonly uiCommands: EventTarget;
  readonly whenWhole: (run: () => void) => Cancel;
};

export function useTarget(page: DrawnPage | null, target: Target | null): void {
  /** The address that was gone to. A rebuilt page (L6 in src/sync/SPEC.md) must not go there again. */
  const done = useRef<Target>(null);
  useEffect(() => {
    const go = target === null ? null : wayTo(target);
    if (page === null || go === null || done.current === target) return undefined;
    let frame = 0;
    const cancel = page.whenWhole(() => {
      // By the next frame the layout around it is done, so the scroll position holds.
      frame = requestAnimationFrame(() => {
        if (page.editor.isDestroyed) return;
        done.current = target;
        go(page);
      });
    });
    return () => {
      cancel();
      cancelAnimationFrame(frame);
    };
  }, [page, target]);
}

/** Null if the address names neither. */
function wayTo({ hash }: Target): ((page: DrawnPage) => void) | null {
  const id = blockInHash(hash);
  const match = parseMatchHash(hash);
  if (id !== null) {
    return ({ editor }) => {
      if (!goToBlock(editor, id)) toast('That block is no longer on this page.');
    };
  }
  if (match === null) return null;
  return ({ editor, uiCommands }) =>
    uiCommands.dispatchEvent(new FindRequest(match.words, positionOf(editor.state.doc, match.context)));
}

/** The start of a text in the page. 0 if someone has changed it since. */
function positionOf(doc: Node, text: string): number {
  let found = 0;
  doc.descendants((node, at) => {
    if (found > 0 || !node.isTextblock) return found === 0;
    const offset = node.textContent.indexOf(text);
    if (offset >= 0) found = at + 1 + offset;
    return false;
  });
  return found;
}
