// A new thread that is being written: what it is about is stored with its text, until it is sent or discarded.
import { useCallback, useEffect, useState } from 'react';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { PageTools } from '../../editor/page-tools.ts';
import type { Anchor } from '../../protocol/comments.ts';
import { type CommentDrafts, NEW_THREAD } from './composer/comment-drafts.ts';
import { focusReply } from './pass-focus.ts';
import type { ActiveThread } from './use-threads.ts';

type Options = {
  readonly tools: PageTools;
  readonly marks: CommentMarks;
  readonly drafts: CommentDrafts;
  readonly mayComment: boolean;
  readonly isShown: boolean;
  readonly setActive: (active: ActiveThread | null) => void;
  readonly onShow: () => void;
};

export function useNewThread({ tools, marks, drafts, mayComment, isShown, setActive, onShow }: Options) {
  const [stored, setAbout] = useState(() => drafts.readAnchor());
  /** How often a new thread was begun here: its card takes the focus each time, once. */
  const [begun, setBegun] = useState(0);
  const [hasFocus, setFocus] = useState(false);
  const about = mayComment ? stored : null;
  const set = useCallback(
    (anchor: Anchor | null) => {
      drafts.writeAnchor(anchor);
      setAbout(anchor);
    },
    [drafts],
  );
  useEffect(() => {
    if (!mayComment) return undefined;
    return tools.onComment((isByKey) => {
      const thread = isByKey ? marks.threadAtCaret() : null;
      onShow();
      setActive(thread === null ? null : { id: thread, hasFocus: true });
      if (thread !== null) {
        // It may be open already, without the focus.
        requestAnimationFrame(() => focusReply(thread));
        return;
      }
      set(marks.anchorOfSelection() ?? { kind: 'page' });
      setBegun((count) => count + 1);
      setFocus(true);
    });
  }, [tools, marks, mayComment, set, setActive, onShow]);
  useEffect(() => marks.setDraft(isShown ? about : null), [marks, about, isShown]);
  // Below the text, the comments may cover the words.
  useEffect(() => void (begun > 0 && marks.reveal('draft')), [marks, begun]);
  return {
    about,
    begun,
    hasFocus,
    onShown: useCallback(() => setFocus(false), []),
    /** Forgets what it is about, if it was discarded or nothing is written. */
    end: (isDiscarded: boolean) => {
      if (isDiscarded || drafts.read(NEW_THREAD) === null) set(null);
    },
    sent: () => set(null),
  };
}
