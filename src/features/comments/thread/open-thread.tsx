// An open thread: its comments, and the field for a reply.
import Check from 'lucide-react/icons/check';
import Link2 from 'lucide-react/icons/link-2';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import { idOfCard } from '../../../editor/comments/id-of-card.ts';
import type { ShownThread } from '../../../state/comments/shown-threads.ts';
import { copyText } from '../../../ui/browser/copy-text.ts';
import { useKeydown } from '../../../ui/browser/use-keydown.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { MenuItem } from '../../../ui/floating/menu.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { useComments } from '../comments-context.ts';
import { Composer } from '../composer/composer.tsx';
import { subjectOf } from '../plain-text.ts';
import { COMMENTS_IN_FRAME, useGrowingCount } from '../use-growing-count.ts';
import { useNamesInText } from './author.tsx';
import { CommentItem } from './comment-item.tsx';
import { Orphan } from './orphan.tsx';
import { WhoIsWriting } from './who-is-writing.tsx';

const MINUTE_MS = 60_000;

/** With each slice of a long thread only the new ones are drawn. */
const DrawnComment = memo(CommentItem);

export type OpenThreadProps = {
  readonly thread: ShownThread;
  /** Its words are nowhere in the text. */
  readonly isGone: boolean;
  /** The focus goes into it when it appears. */
  readonly hasFocus: boolean;
};

export function OpenThread({ thread, isGone, hasFocus }: OpenThreadProps) {
  const { id, resolved } = thread;
  const { comments, mayComment, writers, leaveThread, passFocus } = useComments();
  const nameOf = useNamesInText();
  const now = useNow(MINUTE_MS);
  const card = useRef<HTMLElement>(null);
  const count = useGrowingCount(thread.comments.length, COMMENTS_IN_FRAME);
  const mayReply = mayComment && resolved === null;
  const focusesCard = hasFocus && !mayReply;
  useEffect(() => {
    if (focusesCard) card.current?.focus({ preventScroll: true });
  }, [focusesCard]);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      const focused = document.activeElement;
      // A menu and a dialog are outside of the card.
      if (!element?.contains(focused) && !focused?.closest('[role="menu"], [role$="dialog"]')) return;
      queueMicrotask(() => passFocus(id));
    };
  }, [id, passFocus]);
  useEffect(() => () => writers.ended(), [writers]);
  const keys = useKeydown((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    leaveThread(id);
  });
  return (
    <article
      ref={(element) => {
        card.current = element;
        return keys(element);
      }}
      id={idOfCard(id)}
      className="thread"
      tabIndex={-1}
      aria-label={`Comment on ${subjectOf(thread.anchor)}`}
    >
      {isGone && <Orphan anchor={thread.anchor} />}
      {resolved !== null && <p className="thread-resolved">Resolved by {nameOf(resolved.by)}</p>}
      {thread.comments.slice(0, count).map((comment, at) => (
        <DrawnComment
          key={comment.id}
          comment={comment}
          now={now}
          {...(at > 0 ? {} : { actions: <Resolve thread={thread} />, items: <CopyLink thread={thread} /> })}
        />
      ))}
      {!mayReply && <WhoIsWriting thread={id} />}
      {mayReply && (
        <Composer
          key={id}
          place={`reply:${id}`}
          label="Reply"
          placeholder="Reply"
          hasFocus={hasFocus}
          foot={<WhoIsWriting thread={id} />}
          onType={(isEmpty) => (isEmpty ? writers.ended() : writers.typed(id))}
          onSend={(body) => {
            comments.reply(id, body);
            // The button is disabled next, and would lose the focus.
            if (document.activeElement?.matches('.composer-send')) card.current?.focus({ preventScroll: true });
          }}
          onLeave={() => {
            writers.ended();
            leaveThread(id);
          }}
        />
      )}
    </article>
  );
}

type OfThread = { readonly thread: ShownThread };

export function Resolve({ thread }: OfThread) {
  const { comments, mayComment, openThread } = useComments();
  if (!mayComment) return null;
  if (thread.resolved !== null) {
    return (
      <IconButton label="Reopen" onClick={() => comments.resolve(thread.id, false)}>
        <RotateCcw className="icon" />
      </IconButton>
    );
  }
  const resolve = () => {
    comments.resolve(thread.id, true);
    openThread(null);
    toast('Comment resolved', () => comments.resolve(thread.id, false));
  };
  return (
    <IconButton label="Resolve" onClick={resolve}>
      <Check className="icon" />
    </IconButton>
  );
}

function CopyLink({ thread }: OfThread) {
  const { addressOf } = useComments();
  const copy = async () => {
    const isCopied = await copyText(addressOf(thread.id), null);
    toast(isCopied ? 'Link to the comment copied.' : 'Couldn’t copy the link.');
  };
  return (
    <MenuItem icon={<Link2 className="icon" />} onSelect={() => void copy()}>
      Copy link
    </MenuItem>
  );
}
