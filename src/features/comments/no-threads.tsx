// Stands in place of threads: while they load, if this device has none of them, and if there are none to list.
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { NOT_ON_DEVICE, useComments } from './comments-context.ts';
import type { ThreadFilter } from './listed-threads.ts';
import type { ThreadsOnScreen } from './use-threads.ts';

type NoThreadsProps = { readonly threads: ThreadsOnScreen; readonly hasDraft: boolean };

const EMPTY: Record<ThreadFilter, string> = {
  open: 'No open comments',
  all: 'No comments yet',
  resolved: 'No resolved comments',
  unread: 'No unread comments',
};

export function NoThreads({ threads: { phase, listed, filter, count }, hasDraft }: NoThreadsProps) {
  const { mayComment } = useComments();
  if (listed.length > 0 || hasDraft) return null;
  if (phase === 'loading') return <Skeleton label="Loading comments" widths={['70%', '90%', '60%']} />;
  if (phase === 'offline') {
    return (
      <EmptyState title="You’re offline">
        <p>{NOT_ON_DEVICE}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={EMPTY[count === 0 ? 'all' : filter]}>
      {mayComment && filter !== 'resolved' && <p>Select words in the text to comment on them.</p>}
    </EmptyState>
  );
}
