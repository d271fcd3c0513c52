// A thread that is not open: its first comment, or one line of it. It is one button, which opens the thread.
import Check from 'lucide-react/icons/check';
import { idOfCard } from '../../../editor/comments/id-of-card.ts';
import { counted } from '../../../lib/text/counted.ts';
import { cutText } from '../../../lib/text/cut-text.ts';
import { shortDate } from '../../../lib/text/times.ts';
import type { ShownComment, ShownThread } from '../../../state/comments/shown-threads.ts';
import { textOfBody } from '../../../state/comments/text-of-body.ts';
import { shownParts } from '../../../ui/blocks/unsupported-block-text.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { useComments } from '../comments-context.ts';
import { subjectOf } from '../plain-text.ts';
import { AuthorTag, useCommentNames, useNamesInText } from './author.tsx';
import { Orphan } from './orphan.tsx';

const MINUTE_MS = 60_000;

type ClosedThreadProps = {
  readonly thread: ShownThread;
  /** There is no room for more. */
  readonly isLine: boolean;
  readonly isGone: boolean;
  readonly isUnread: boolean;
};

export function ClosedThread({ thread, isLine, isGone, isUnread }: ClosedThreadProps) {
  const { id, resolved, anchor } = thread;
  const { openThread } = useComments();
  const [first] = thread.comments;
  const replies = thread.comments.filter(({ body }) => body !== null).length - 1;
  if (first === undefined) return null;
  return (
    <button
      type="button"
      id={idOfCard(id)}
      className="thread"
      data-line={isLine || resolved !== null || undefined}
      data-unread={isUnread || undefined}
      onClick={() => openThread(id)}
    >
      <span className="sr-only">Comment on {subjectOf(anchor)}: </span>
      {isGone && resolved === null && <Orphan anchor={anchor} />}
      {resolved !== null ? (
        <ResolvedLine thread={thread} />
      ) : isLine ? (
        <OneLine comment={first} replies={replies} />
      ) : (
        <FirstComment comment={first} replies={replies} />
      )}
      {isUnread && <span className="sr-only">, unread</span>}
    </button>
  );
}

function ResolvedLine({ thread: { resolved, comments, anchor } }: { readonly thread: ShownThread }) {
  const nameOf = useNamesInText();
  const words = textOf(comments[0]);
  return (
    <span className="thread-line">
      <Check className="icon" aria-hidden />
      <span className="truncate grow">
        Resolved by {nameOf(resolved?.by ?? null)} · {words === '' ? subjectOf(anchor) : `“${words}”`}
      </span>
    </span>
  );
}

type FirstProps = { readonly comment: ShownComment; readonly replies: number };

function OneLine({ comment, replies }: FirstProps) {
  const name = useCommentNames()(comment.by);
  return (
    <span className="thread-line">
      <AuthorTag author={comment.by} />
      <span className="sr-only">{name}: </span>
      <span className="truncate grow" dir="auto">
        {textOf(comment)}
      </span>
      {replies > 0 && (
        <span className="tabular">
          {replies}
          <span className="sr-only"> {replies === 1 ? 'reply' : 'replies'}</span>
        </span>
      )}
    </span>
  );
}

function FirstComment({ comment, replies }: FirstProps) {
  const name = useCommentNames()(comment.by);
  const now = useNow(MINUTE_MS);
  return (
    <>
      <span className="thread-line">
        <AuthorTag author={comment.by} />
        <b className="truncate">{name}</b>
        <time dateTime={new Date(comment.at).toISOString()}>{shortDate(comment.at, now)}</time>
      </span>
      <span className="thread-text" dir="auto">
        {textOf(comment)}
      </span>
      {replies > 0 && <span className="thread-replies">{counted(replies, 'reply', 'replies')}</span>}
    </>
  );
}

/** More than the card has room for. The text is also the name of its button. */
const MAX_TEXT = 400;

const textOf = (comment: ShownComment | undefined): string =>
  comment?.body == null ? 'Deleted' : shownParts(cutText(textOfBody(comment.body), MAX_TEXT), 1).shown;
