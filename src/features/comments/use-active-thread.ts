// Which thread is open: the one of the words with the caret or the click, or the one that was chosen among the comments.
import { useEffect, useState } from 'react';
import type { CommentMarks } from '../../editor/comments/comment-marks.ts';
import type { ThreadId } from '../../protocol/ids.ts';
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

/** Opens the thread that the page's address names, once per address and once the thread is there. */
export function useThreadInAddress({
  thread,
  isThere,
  onOpen,
  onMissing,
}: {
  readonly thread: ThreadId | null;
  readonly isThere: boolean;
  readonly onOpen: (thread: ThreadId) => void;
  readonly onMissing: () => void;
}): void {
  const [done, setDone] = useState<ThreadId | null>(null);
  const waits = thread !== null && thread !== done;
  useEffect(() => {
    if (!waits) return undefined;
    const settle = (run: () => void) => {
      setDone(thread);
      run();
    };
    // The device's copy of the comments may be older than the address.
    const timer = setTimeout(
      () => settle(() => (isThere ? onOpen(thread) : onMissing())),
      isThere ? 0 : MISSING_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [thread, waits, isThere, onOpen, onMissing]);
}

const MISSING_AFTER_MS = 6_000;
