// What this device knows of a page's comments: the newest answers of the server, put together. The stored copy has the same
// shape.
import * as v from 'valibot';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import {
  type ChangedThread,
  type Comment,
  type CommentList,
  comment,
  commentList,
  removedThread,
  thread,
} from '../../protocol/comments.ts';

/** The tombstones of removed threads stay in it, so that an older answer does not bring a thread back. */
export type KnownComments = CommentList;

/** `answer` has the threads that were changed since an earlier answer. */
export function withList(known: KnownComments, answer: CommentList): KnownComments {
  return {
    ...answer,
    change: Math.max(known.change, answer.change),
    readChange: Math.max(known.readChange, answer.readChange),
    threads: answer.threads.reduce(withNewer, known.threads),
  };
}

/** Adds the answer to a write of this person. The change that it names may follow others that are not known here. */
export const withThread = (known: KnownComments, changed: ChangedThread): KnownComments => ({
  ...known,
  threads: withNewer(known.threads, changed),
});

/** Answers may overtake each other. */
function withNewer(threads: readonly ChangedThread[], changed: ChangedThread): readonly ChangedThread[] {
  const at = threads.findIndex(({ id }) => id === changed.id);
  const before = threads[at];
  if (before === undefined) return [...threads, changed];
  if ('removed' in before || (!('removed' in changed) && changed.change < before.change)) return threads;
  return threads.with(at, changed);
}

/** Everyone whom the page's comments name. */
export const peopleIn = ({ threads }: KnownComments): readonly UserId[] =>
  threads.flatMap((one) =>
    'removed' in one
      ? []
      : [one.by, one.resolved?.by, ...one.comments.flatMap(peopleOf)].filter((user) => user != null),
  );

const peopleOf = ({ by, reactions }: Comment) => [by, ...reactions.flatMap((one) => one.by)];

const time = v.number();
const storedComment = v.object({ ...comment.entries, at: time, editedAt: v.nullable(time) });
const storedThread = v.object({
  ...thread.entries,
  at: time,
  resolved: v.nullable(v.object({ ...thread.entries.resolved.wrapped.entries, at: time })),
  comments: v.pipe(v.array(storedComment), v.readonly()),
});
const storedComments = v.object({
  ...commentList.entries,
  threads: v.pipe(v.array(v.union([storedThread, removedThread])), v.readonly()),
});

export const parseStoredComments = (stored: unknown): KnownComments | null => parseOrNull(storedComments, stored);
