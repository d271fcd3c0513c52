// The panel with the threads of a page that was opened by link, at the side of the window or at its bottom.
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import type { PageFiles } from '../../../ports/files.ts';
import type { LinkThread } from '../../../protocol/comments.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import { useKeydown } from '../../../ui/browser/use-keydown.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ReadThread } from './read-thread.tsx';
import type { StaticPlaces } from './static-marks.ts';

type ReadPanelProps = {
  /** Those that are listed, in the order of the text. */
  readonly threads: readonly LinkThread[];
  readonly places: StaticPlaces;
  readonly files: PageFiles | null;
  /** The one that was chosen. */
  readonly active: ThreadId | null;
  readonly openCount: number;
  /** All threads of the page. */
  readonly count: number;
  readonly showsResolved: boolean;
  readonly onShowResolved: (shows: boolean) => void;
  readonly onGoTo: (thread: ThreadId) => void;
  readonly onClose: () => void;
};

export function ReadPanel(props: ReadPanelProps) {
  const { threads, places, files, active, openCount, count, showsResolved, onShowResolved, onGoTo, onClose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active !== null) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const keys = useKeydown((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  });
  return (
    <aside className="comments-by-link" aria-label="Comments" ref={keys}>
      <header className="comments-head">
        <h2>Comments</h2>
        <span className="tabular">{openCount} open</span>
        {count > openCount && (
          <Button look="plain" size="small" onClick={() => onShowResolved(!showsResolved)}>
            {showsResolved ? 'Hide resolved' : 'Show resolved'}
          </Button>
        )}
        <IconButton label="Close comments" autoFocus onClick={onClose}>
          <X className="icon" />
        </IconButton>
      </header>
      <p className="comments-note">You can read comments here, not write them.</p>
      <div className="comments-list" ref={list}>
        {threads.length === 0 && <EmptyState title={count === 0 ? 'No comments yet' : 'No open comments'} />}
        {threads.map((thread) => (
          <ReadThread
            key={thread.id}
            thread={thread}
            isActive={thread.id === active}
            place={places.get(thread.id) ?? null}
            files={files}
            onGoTo={() => onGoTo(thread.id)}
          />
        ))}
      </div>
    </aside>
  );
}
