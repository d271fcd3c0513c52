// A thread for reading, without the names of people: they are numbered in it.
import { capitalized } from '../../../lib/text/capitalized.ts';
import { dayAndTime, shortDate } from '../../../lib/text/times.ts';
import type { PageFiles } from '../../../ports/files.ts';
import { type LinkComment, type LinkThread, picturesOf } from '../../../protocol/comments.ts';
import { SOMEONE_WHO_LEFT } from '../../../state/people/author-name.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { PersonTag } from '../../../ui/people/person-tag.tsx';
import { quoteOf, subjectOf } from '../plain-text.ts';
import { CommentPictures } from '../thread/comment-pictures.tsx';
import { CommentText } from '../thread/comment-text.tsx';
import { Orphan } from '../thread/orphan.tsx';
import type { StaticPlace } from './static-places.ts';

const MINUTE_MS = 60_000;

type ReadThreadProps = {
  readonly thread: LinkThread;
  readonly isActive: boolean;
  /** Null: it is not known yet. */
  readonly place: StaticPlace | null;
  readonly files: PageFiles | null;
  readonly onGoTo: () => void;
};

export function ReadThread({
  thread: { anchor, resolved, comments },
  isActive,
  place,
  files,
  onGoTo,
}: ReadThreadProps) {
  const now = useNow(MINUTE_MS);
  // The link sends a quote only if it shows the page's history.
  const quote = quoteOf(anchor) ?? (place?.words || null);
  const isGone = place?.isGone === true;
  const words = quote === null ? (isGone ? 'deleted words' : 'words') : `“${quote}”`;
  const subject = anchor.kind === 'text' ? words : subjectOf(anchor);
  return (
    <article className="thread" data-active={isActive || undefined} aria-label={`Comment on ${subject}`}>
      {isGone ? (
        <Orphan anchor={anchor} />
      ) : (
        anchor.kind !== 'page' && (
          <button type="button" className="comment-words" onClick={onGoTo}>
            <span className="truncate" dir="auto">
              {quote ?? (anchor.kind === 'block' ? 'Go to the block' : 'Go to the words')}
            </span>
          </button>
        )
      )}
      {resolved !== null && <p className="thread-resolved">Resolved</p>}
      {comments.map((comment) => (
        <ReadComment key={comment.id} comment={comment} files={files} now={now} />
      ))}
    </article>
  );
}

type ReadCommentProps = { readonly comment: LinkComment; readonly files: PageFiles | null; readonly now: number };

function ReadComment({ comment, files, now }: ReadCommentProps) {
  const { author, at, editedAt, body, reactions } = comment;
  const name = author === null ? capitalized(SOMEONE_WHO_LEFT) : `Person ${author}`;
  return (
    <div className="comment">
      <header>
        <PersonTag size="small" name={name} color={null} />
        <b className="truncate">{name}</b>
        <time dateTime={new Date(at).toISOString()} title={dayAndTime(at, now)}>
          {shortDate(at, now)}
        </time>
        {editedAt !== null && body !== null && <small>edited</small>}
      </header>
      {body === null ? <p className="comment-gone">Deleted</p> : <CommentText body={body} />}
      {body !== null && <CommentPictures pictures={picturesOf(body)} files={files} />}
      {reactions.length > 0 && (
        <ul className="reactions" aria-label="Reactions">
          {reactions.map(({ emoji, count }) => (
            <li key={emoji} className="reaction">
              <span className="emoji">{emoji}</span>
              <span className="tabular">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
