// Which thread is open: the one of the words with the caret or the click, or the one that was chosen among the comments.
import { useEffect, useEffectEvent, useState } from 'react';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { CommentsView } from '../../state/comments/page-comments.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { NOT_ON_DEVICE } from './comments-context.ts';
import type { ActiveThread } from './use-threads.ts';

type Options = {
  readonly marks: CommentMarks;
  readonly isShown: boolean;
  readonly onShow: () => void;
};

export function useActiveThread({ marks, isShown, onShow }: Options) {
  const [active, setActive] = useState<ActiveThread | null>(null);
  useEffect(() => marks.setActive(isShown ? (active?.id ?? null) : null), [marks, active, isShown]);
  useEffect(
    () =>
      marks.onActivate((id) => {
        // A caret that passes through commented words does not bring the comments to the screen. A click does.
        if (id !== null && !isShown && !isPointerLast) return;
        setActive(id === null ? null : { id, hasFocus: false });
        if (id !== null) onShow();
      }),
    [marks, isShown, onShow],
  );
  useEffect(followInput, []);
  return [active, setActive] as const;
}

/** Whether the newest input came from a pointer, not from a key. */
let isPointerLast = false;

function followInput(): () => void {
  const onPointer = () => void (isPointerLast = true);
  const onKey = () => void (isPointerLast = false);
  addEventListener('pointerdown', onPointer, true);
  addEventListener('keydown', onKey, true);
  return () => {
    removeEventListener('pointerdown', onPointer, true);
    removeEventListener('keydown', onKey, true);
  };
}

/** Opens the thread that the page's address names, once, as soon as it is there; says so if it is not on the page. */
export function useThreadInAddress({
  thread,
  view: { phase, threads, isFresh },
  onOpen,
}: {
  readonly thread: ThreadId | null;
  readonly view: CommentsView;
  readonly onOpen: (thread: ThreadId) => void;
}): void {
  const [done, setDone] = useState<ThreadId | null>(null);
  const open = useEffectEvent(onOpen);
  const isThere = threads.some(({ id }) => id === thread);
  const missing = phase === 'offline' ? NOT_ON_DEVICE : isFresh ? 'That comment is no longer on this page.' : null;
  const waits = thread !== null && thread !== done && (isThere || missing !== null);
  useEffect(() => {
    if (!waits) return undefined;
    const settle = () => {
      setDone(thread);
      if (isThere) open(thread);
      else if (missing !== null) toast(missing);
    };
    // The list may be older than the address.
    const timer = setTimeout(settle, isThere ? 0 : MISSING_AFTER_MS);
    return () => clearTimeout(timer);
  }, [thread, waits, isThere, missing]);
}

const MISSING_AFTER_MS = 6_000;
