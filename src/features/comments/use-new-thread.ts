// A new thread that is being written: what it is about is stored with its text, until it is sent or discarded.
import { useCallback, useEffect, useState } from 'react';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { PageTools } from '../../editor/page-tools.ts';
import type { Anchor } from '../../protocol/comments.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { type CommentDrafts, NEW_THREAD } from './composer/comment-drafts.ts';

type Options = {
  readonly tools: PageTools;
  readonly marks: CommentMarks;
  readonly drafts: CommentDrafts;
  readonly mayComment: boolean;
  readonly isShown: boolean;
  /** Its card is to be seen, and no other one is open. */
  readonly onBegin: () => void;
  /** Someone pressed the key for a comment in the words of a thread. */
  readonly onReply: (thread: ThreadId) => void;
};

export function useNewThread({ tools, marks, drafts, mayComment, isShown, onBegin, onReply }: Options) {
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
      if (thread !== null) {
        onReply(thread);
        return;
      }
      set(marks.anchorOfSelection() ?? { kind: 'page' });
      setBegun((count) => count + 1);
      setFocus(true);
      onBegin();
    });
  }, [tools, marks, mayComment, set, onBegin, onReply]);
  useEffect(() => marks.setDraft(isShown ? about : null), [marks, about, isShown]);
  return {
    about,
    begun,
    hasFocus,
    onShown: useCallback(() => setFocus(false), []),
    /** Forgets it, with the text if it was discarded or nothing was written. */
    end: (isDiscarded: boolean) => {
      if (isDiscarded || drafts.read(NEW_THREAD) === null) set(null);
    },
    sent: () => set(null),
  };
}
