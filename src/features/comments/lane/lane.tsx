// The comments beside the text, each at the line of its words.
import { type ReactNode, memo, useLayoutEffect, useRef } from 'react';
import type { ShownThread } from '../../../state/comments/shown-threads.ts';
import { useKeydown } from '../../../ui/browser/use-keydown.ts';
import { isMac } from '../../../ui/controls/key-caps.tsx';
import { useComments } from '../comments-context.ts';
import { CommentsHead } from '../comments-head.tsx';
import { threadAfter } from '../listed-threads.ts';
import { NoThreads } from '../no-threads.tsx';
import { ClosedThread } from '../thread/closed-thread.tsx';
import { OpenThread } from '../thread/open-thread.tsx';
import { CARDS_IN_FRAME, useGrowingCount } from '../use-growing-count.ts';
import type { ThreadsOnScreen } from '../use-threads.ts';
import type { CardId, LaneLayout } from './lane-layout.ts';

type LaneProps = {
  readonly threads: ThreadsOnScreen;
  readonly layout: LaneLayout;
  /** The card of a new thread. */
  readonly draft: ReactNode;
  readonly onClose: () => void;
};

/** With each slice of many threads only the new ones are drawn. */
const Card = memo(ClosedThread);

export function Lane({ threads, layout, draft, onClose }: LaneProps) {
  const { listed, active, unread, places } = threads;
  const { openThread } = useComments();
  const hasDraft = draft !== null;
  const count = useGrowingCount(listed.length, CARDS_IN_FRAME);
  useLayoutEffect(() => layout.setActive(active?.id ?? (hasDraft ? 'draft' : null)), [layout, active?.id, hasDraft]);
  const keys = useKeydown((event) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = !event.altKey || by === 0 ? undefined : threadAfter(listed, active?.id ?? null, by);
    if (next === undefined || movesCaret(event)) return;
    event.preventDefault();
    openThread(next.id);
  });
  return (
    <aside className="comments-lane" aria-label="Comments" ref={keys}>
      <CommentsHead threads={threads} onClose={onClose} />
      <NoThreads threads={threads} hasDraft={hasDraft} />
      {hasDraft && (
        <Seat id="draft" isActive={active === null} layout={layout}>
          {draft}
        </Seat>
      )}
      {listed.map((thread: ShownThread, at) => {
        const isActive = active?.id === thread.id;
        if (at >= count && !isActive) return null;
        const isGone = places.gone.has(thread.id);
        return (
          <Seat key={thread.id} id={thread.id} isActive={isActive} layout={layout}>
            {isActive ? (
              <OpenThread thread={thread} isGone={isGone} hasFocus={active.hasFocus} />
            ) : (
              <Card
                thread={thread}
                isLine={places.crowded.has(thread.id)}
                isGone={isGone}
                isUnread={unread.has(thread.id)}
              />
            )}
          </Seat>
        );
      })}
    </aside>
  );
}

/** On a Mac these keys move the caret by paragraphs in what is written. */
const movesCaret = ({ target }: Event): boolean =>
  isMac() && target instanceof HTMLElement && target.isContentEditable && target.textContent !== '';

type SeatProps = {
  readonly id: CardId;
  readonly isActive: boolean;
  readonly layout: LaneLayout;
  readonly children: ReactNode;
};

function Seat({ id, isActive, layout, children }: SeatProps) {
  const seat = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (seat.current === null ? undefined : layout.add(id, seat.current)), [layout, id]);
  return (
    <div ref={seat} className="comment-seat" data-active={isActive || undefined}>
      {children}
    </div>
  );
}
