// Announces new comments of others to assistive technology: politely, and in a pause of typing.
import { useEffect, useRef, useState } from 'react';
import { cutText } from '../../lib/text/cut-text.ts';
import type { CommentsView } from '../../state/comments/page-comments.ts';
import type { ShownComment, ShownThread } from '../../state/comments/shown-threads.ts';
import { textOfBody } from '../../state/comments/text-of-body.ts';
import { usePerson } from '../../state/hooks.ts';
import { subjectOf } from './plain-text.ts';
import { useCommentNames } from './thread/author.tsx';

const PAUSE_MS = 2_000;
const MAX_TEXT = 120;
/** If more come at once, only their number is read out. */
const MAX_READ_OUT = 3;

export function CommentAnnouncer({ view }: { readonly view: CommentsView }) {
  const me = usePerson().identity.id;
  const nameOf = useCommentNames();
  const [announcement, setAnnouncement] = useState('');
  /** The newest change that was announced, or was there before. */
  const known = useRef<number | null>(null);
  useEffect(() => {
    // What came since the last visit is not read out.
    if (view.phase !== 'ready' || (known.current === null && !view.isFresh)) return undefined;
    const written = view.threads.flatMap((thread) => thread.comments.map((comment) => ({ thread, comment })));
    const newest = Math.max(0, ...written.map(({ comment }) => comment.change));
    const before = (known.current ??= newest);
    const news = written.filter(({ comment: { change, by, body } }) => change > before && by !== me && body !== null);
    if (news.length === 0) return undefined;
    return inPause(() => {
      known.current = newest;
      const texts = news.map(({ thread, comment }) => textOf(nameOf(comment.by), thread, comment));
      setAnnouncement(texts.length > MAX_READ_OUT ? `${texts.length} new comments` : texts.join(' '));
    });
  }, [view, me, nameOf]);
  return (
    <p className="sr-only" role="log" aria-live="polite" aria-label="New comments">
      {announcement}
    </p>
  );
}

function textOf(name: string, { anchor, comments }: ShownThread, comment: ShownComment): string {
  const did = comment.id === comments[0]?.id ? 'commented' : 'replied';
  return `${name} ${did} on ${subjectOf(anchor)}: ${cutText(textOfBody(comment.body ?? []), MAX_TEXT)}`;
}

/** Runs when no key was pressed for a while. */
function inPause(run: () => void): () => void {
  let timer = setTimeout(run, PAUSE_MS);
  const onKey = () => {
    clearTimeout(timer);
    timer = setTimeout(run, PAUSE_MS);
  };
  addEventListener('keydown', onKey, true);
  return () => {
    clearTimeout(timer);
    removeEventListener('keydown', onKey, true);
  };
}
