// The comments where there is no room beside the text: one thread, or their list, at the bottom of the window.
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect } from 'react';
import { useKeyboardHeight } from '../../ui/browser/use-keyboard-height.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { useComments } from './comments-context.ts';
import { CommentsHead } from './comments-head.tsx';
import { threadAfter } from './listed-threads.ts';
import { NoThreads } from './no-threads.tsx';
import { passFocus } from './pass-focus.ts';
import { ClosedThread } from './thread/closed-thread.tsx';
import { OpenThread, Resolve } from './thread/open-thread.tsx';
import { CARDS_IN_FRAME, useGrowingCount } from './use-growing-count.ts';
import type { ThreadsOnScreen } from './use-threads.ts';

type SheetProps = {
  readonly threads: ThreadsOnScreen;
  /** The card of a new thread. */
  readonly draft: ReactNode;
  readonly onClose: () => void;
};

export function Sheet({ threads, draft, onClose }: SheetProps) {
  const { listed, active, unread, places } = threads;
  const { openThread } = useComments();
  useKeyboardHeight();
  const count = useGrowingCount(listed.length, CARDS_IN_FRAME);
  const at = active === null ? -1 : listed.findIndex(({ id }) => id === active.id);
  const thread = listed[at];
  // Not into the field, which would bring the keyboard of the phone. The line of the list that had the focus is gone.
  useEffect(() => {
    if (active?.hasFocus === true && document.activeElement === document.body) passFocus([active.id]);
  }, [active]);
  const step = (steps: 1 | -1) => {
    const next = threadAfter(listed, active?.id ?? null, steps);
    if (next !== undefined) openThread(next.id);
  };
  if (active === null || thread === undefined) {
    return (
      <aside className="comments-sheet" aria-label="Comments">
        <CommentsHead threads={threads} onClose={onClose} />
        {draft}
        {(draft === null || listed.length > 0) && (
          <div className="comments-list">
            <NoThreads threads={threads} hasDraft={draft !== null} />
            {listed.slice(0, count).map((one) => (
              <ClosedThread
                key={one.id}
                thread={one}
                isLine
                isGone={places.gone.has(one.id)}
                isUnread={unread.has(one.id)}
              />
            ))}
          </div>
        )}
      </aside>
    );
  }
  return (
    <aside className="comments-sheet" aria-label="Comments">
      <header className="comments-head">
        <h2 className="tabular grow">
          Comment {at + 1} of {listed.length}
        </h2>
        <IconButton label="Previous comment" disabled={listed.length < 2} onClick={() => step(-1)}>
          <ChevronUp className="icon" />
        </IconButton>
        <IconButton label="Next comment" disabled={listed.length < 2} onClick={() => step(1)}>
          <ChevronDown className="icon" />
        </IconButton>
        <Resolve thread={thread} />
        <IconButton label="Close" onClick={() => openThread(null)}>
          <X className="icon" />
        </IconButton>
      </header>
      <OpenThread key={thread.id} thread={thread} isGone={places.gone.has(thread.id)} hasFocus={false} />
    </aside>
  );
}
