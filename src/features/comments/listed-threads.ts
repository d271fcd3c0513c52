// Which threads the lane lists, and in which order: that of their words in the text.
import type { ThreadId } from '../../protocol/ids.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';

export type ThreadFilter = 'open' | 'all' | 'resolved' | 'unread';

export const THREAD_FILTERS: readonly (readonly [ThreadFilter, string])[] = [
  ['open', 'Open'],
  ['all', 'All'],
  ['resolved', 'Resolved'],
  ['unread', 'Unread'],
];

type Listing = {
  readonly filter: ThreadFilter;
  readonly unread: ReadonlySet<ThreadId>;
  /** Listed in any case. */
  readonly active: ThreadId | null;
};

export function listedThreads(
  threads: readonly ShownThread[],
  { filter, unread, active }: Listing,
): readonly ShownThread[] {
  const isListed = {
    open: ({ resolved }: ShownThread) => resolved === null,
    all: () => true,
    resolved: ({ resolved }: ShownThread) => resolved !== null,
    unread: ({ id }: ShownThread) => unread.has(id),
  }[filter];
  return threads.filter((thread) => thread.id === active || isListed(thread));
}

/** `ranks`: the place of each thread in the text. Threads without one come last, the oldest first. */
export const inTextOrder = (
  threads: readonly ShownThread[],
  ranks: ReadonlyMap<ThreadId, number>,
): readonly ShownThread[] => {
  const rankOf = ({ id }: ShownThread) => ranks.get(id) ?? Number.MAX_SAFE_INTEGER;
  return threads.toSorted((a, b) => rankOf(a) - rankOf(b));
};

/** The thread that many steps after this one, around the end; without a thread, from the start or the end. */
export function threadAfter(
  threads: readonly ShownThread[],
  active: ThreadId | null,
  steps: 1 | -1,
): ShownThread | undefined {
  const at = threads.findIndex(({ id }) => id === active);
  return at < 0 ? threads.at(steps > 0 ? 0 : -1) : threads.at((at + steps) % threads.length);
}
