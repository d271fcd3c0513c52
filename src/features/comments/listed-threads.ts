// Which threads are listed beside or below the text, and in which order: that of their words.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { mentionedIn } from './plain-text.ts';

export type ThreadFilter = {
  readonly state: 'open' | 'all' | 'resolved' | 'unread';
  /** `mine`: threads that this person began, replied to or is mentioned in. A person: with a comment by them. */
  readonly of: 'anyone' | 'mine' | UserId;
};

export const NO_FILTER: ThreadFilter = { state: 'open', of: 'anyone' };
export const isFiltered = ({ state, of }: ThreadFilter): boolean => state !== NO_FILTER.state || of !== NO_FILTER.of;
export const THREAD_STATES: readonly (readonly [ThreadFilter['state'], string])[] = [
  ['open', 'Open'],
  ['all', 'All'],
  ['resolved', 'Resolved'],
  ['unread', 'Unread'],
];

type Listing = {
  readonly filter: ThreadFilter;
  readonly me: UserId;
  readonly unread: ReadonlySet<ThreadId>;
  /** Listed in any case: they count as read once comments are on the screen. */
  readonly news: ReadonlySet<ThreadId>;
  /** Listed in any case. */
  readonly active: ThreadId | null;
};

export function listedThreads(
  threads: readonly ShownThread[],
  { filter, me, unread, news, active }: Listing,
): readonly ShownThread[] {
  const hasState = {
    open: ({ resolved }: ShownThread) => resolved === null,
    all: () => true,
    resolved: ({ resolved }: ShownThread) => resolved !== null,
    unread: ({ id }: ShownThread) => unread.has(id),
  }[filter.state];
  const isOf = (thread: ShownThread) =>
    filter.of === 'anyone' || (filter.of === 'mine' ? isMine(thread, me) : commentersOf(thread).includes(filter.of));
  const isKept = ({ id }: ShownThread) => id === active || news.has(id);
  return threads.filter((thread) => isKept(thread) || (hasState(thread) && isOf(thread)));
}

const isMine = (thread: ShownThread, me: UserId): boolean =>
  thread.by === me ||
  commentersOf(thread).includes(me) ||
  thread.comments.some(({ body }) => mentionedIn(body ?? []).includes(me));

/** Everyone with a comment in it that was not deleted. */
export const commentersOf = ({ comments }: ShownThread): readonly UserId[] =>
  comments.flatMap(({ by, body }) => (by === null || body === null ? [] : [by]));

/** `ranks`: the place of each thread in the text. Threads without one come last, as they are given. */
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
