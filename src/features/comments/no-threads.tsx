// Stands in place of threads: while they load, if this device has none of them, and if there are none to list.
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { NOT_ON_DEVICE, useComments } from './comments-context.ts';
import { NO_FILTER, type ThreadFilter, isFiltered } from './listed-threads.ts';
import { focusFilter } from './pass-focus.ts';
import { useCommentNames } from './thread/author.tsx';
import type { ThreadsOnScreen } from './use-threads.ts';

type NoThreadsProps = { readonly threads: ThreadsOnScreen; readonly hasDraft: boolean };

export function NoThreads({ threads: { phase, listed, filter, setFilter, count }, hasDraft }: NoThreadsProps) {
  const { mayComment } = useComments();
  const nameOf = useCommentNames();
  if (listed.length > 0 || hasDraft) return null;
  if (phase === 'loading') return <Skeleton label="Loading comments" widths={['70%', '90%', '60%']} />;
  if (phase === 'offline') {
    return (
      <EmptyState title="You’re offline">
        <p>{NOT_ON_DEVICE}</p>
      </EmptyState>
    );
  }
  if (count === 0 || !isFiltered(filter)) {
    return (
      <EmptyState title={count === 0 ? 'No comments yet' : 'No open comments'}>
        {mayComment && <p>Select words in the text to comment on them.</p>}
      </EmptyState>
    );
  }
  const back = () => {
    setFilter(NO_FILTER);
    focusFilter();
  };
  return (
    <EmptyState title={nothingFound(filter, nameOf)} actions={<Button onClick={back}>Back to open comments</Button>}>
      {filter.of === 'mine' && <p>These are comments that you began, replied to or are mentioned in.</p>}
    </EmptyState>
  );
}

function nothingFound({ state, of }: ThreadFilter, nameOf: ReturnType<typeof useCommentNames>): string {
  const which = state === 'all' ? 'comments' : `${state} comments`;
  if (of === 'anyone') return `No ${which}`;
  return of === 'mine' ? `No ${which} that involve you` : `No ${which} by ${nameOf(of)}`;
}
