// Opens the find bar at the match that the page's address names, once per address, after the page is drawn.
import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { useEffect, useRef } from 'react';
import type { Cancel } from '../../lib/cancel.ts';
import { parseMatchHash } from '../../state/workspace/page-address.ts';
import type { Target } from '../blocks/use-target-block.ts';
import { FindRequest } from './find-in-page.ts';

type DrawnPage = {
  readonly editor: Editor;
  readonly uiCommands: EventTarget;
  readonly whenWhole: (run: () => void) => Cancel;
};

export function useTargetMatch(page: DrawnPage | null, target: Target | null): void {
  /** The address whose match was shown. A rebuilt page (L6) must not go there again. */
  const done = useRef<Target>(null);
  useEffect(() => {
    const match = target === null ? null : parseMatchHash(target.hash);
    if (page === null || match === null || done.current === target) return undefined;
    let frame = 0;
    const cancel = page.whenWhole(() => {
      // By the next frame the layout around it is done, so the scroll position holds.
      frame = requestAnimationFrame(() => {
        if (page.editor.isDestroyed) return;
        done.current = target;
        const near = positionOf(page.editor.state.doc, match.context);
        page.uiCommands.dispatchEvent(new FindRequest(match.words, near));
      });
    });
    return () => {
      cancel();
      cancelAnimationFrame(frame);
    };
  }, [page, target]);
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
